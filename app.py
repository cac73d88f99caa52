"""The app: page config, who is at the desk, and the way to the screens; nothing else."""

import streamlit as st

from core.settings import PAGES_DIR
from pages.shared.desk import person_corner
from pages.shared.session import enter
from pages.shared.widgets import use_look

SCREENS = ("studies", "generate", "curate", "classify", "audit", "results")

st.set_page_config(page_title="Selfbound", page_icon="🧭", layout="wide")
# Before anything that may stop: until this has run once, pages are served without app.py.
screen = st.navigation(
    [
        st.Page(PAGES_DIR / f"{name}.py", title=name.capitalize(), default=name == "studies")
        for name in SCREENS
    ],
    position="top",
)
enter()
use_look()
person_corner()
screen.run()
