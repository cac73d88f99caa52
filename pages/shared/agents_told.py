"""Agents run from the command line: which command begins, and which goes on."""

from shlex import quote

import streamlit as st

from core.workflows.agent_import import takes_agents
from core.workflows.agent_runs import agent_logs_dir
from core.workflows.studies import Study
from pages.shared.text import plain


def tell_agents(study: Study, *, is_open: bool = False) -> None:
    """One quiet block with the commands, where a study can hold runs of agents."""
    if not takes_agents(study):
        return
    begin = f"selfbound agents {quote(study.name)} --sandbox docker"
    with st.expander("Agents, from the command line", expanded=is_open):
        st.caption(
            "Agents state their chance after each step of their work. Inspect AI runs them, and "
            "their log is imported into this study; close this app meanwhile, for a store is open "
            "in one place only."
        )
        st.code(begin, language="bash", wrap_lines=True)
        st.caption(plain(f"What was stopped goes on from its log, in {agent_logs_dir()}:"))
        st.code(f"{begin} --resume LOG", language="bash", wrap_lines=True)
        st.caption("Logs of other agents come in on Generate, with Import.")
