"""Where things are kept and how the process is set up, read from the environment.

    SELFBOUND_STORE          the store's file                   (data/selfbound.duckdb)
    SELFBOUND_CACHE          weights of local models            (~/.cache/selfbound)
    SELFBOUND_SANDBOX_IMAGE  what programs run in, with Docker  (a plain Python)

Keys of model providers are read from the environment by LiteLLM alone; Selfbound never touches
them.
"""

import os
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent
PROMPTS_DIR = PROJECT_ROOT / "prompts"
PAGES_DIR = PROJECT_ROOT / "pages"
SAMPLE_QUESTIONS = PROJECT_ROOT / "data" / "questions" / "sample.jsonl"
SAMPLE_CODE_TASKS = PROJECT_ROOT / "data" / "code_tasks" / "sample.jsonl"

EMBEDDED_MODEL = "embedded/smollm2-135m-instruct"
"""The default subject: a small real model that needs no key and no network."""

LOCAL_PREFIX = "local/"
"""`local/PATH.gguf` names any other GGUF file on this machine."""

RULE_JUDGE = "rule/match"
"""A judge that is no model: it follows a step's written rule, makes no call and costs nothing."""

SANDBOX_PREFIX = "sandbox/"
"""`sandbox/local` and `sandbox/docker` stand where a model's name stands for where programs ran."""

PERSON_PREFIX = "person/"
"""`person/NAME` stands where a model's name stands for what a person answered; no model has it."""


def store_path() -> Path:
    """The store's file: $SELFBOUND_STORE, or data/selfbound.duckdb in the project."""
    named = os.environ.get("SELFBOUND_STORE")
    return Path(named).expanduser() if named else PROJECT_ROOT / "data" / "selfbound.duckdb"


def cache_dir() -> Path:
    """The folder for downloaded weights: $SELFBOUND_CACHE, or ~/.cache/selfbound."""
    named = os.environ.get("SELFBOUND_CACHE")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "selfbound"


def sandbox_image() -> str | None:
    """The image that programs run in where Docker runs them: $SELFBOUND_SANDBOX_IMAGE.

    It needs Python 3.11 or newer as `python3`, and the libraries of the tasks. None where nobody
    named one.
    """
    return os.environ.get("SELFBOUND_SANDBOX_IMAGE") or None
