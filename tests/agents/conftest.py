from pathlib import Path

import pytest

from core.settings import PROJECT_ROOT
from tests.support.agents import scripted_agent


@pytest.fixture(scope="session")
def instructions():
    """What each small task says, by its name."""
    folder = PROJECT_ROOT / "data" / "agent_tasks"
    return {
        path.parent.name: path.read_text("utf-8").strip()
        for path in folder.glob("*/instruction.md")
    }


@pytest.fixture
def run_scripted(instructions, tmp_path):
    """Runs the small tasks with a mock model and gives the path of the log."""
    pytest.importorskip("inspect_ai", reason="needs the extra `inspect`")
    from inspect_ai.model import get_model

    from core.agents.running import run_agents

    def run(commands, estimate, **settings) -> Path:
        outputs = scripted_agent(instructions, commands, estimate)
        model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
        usual = {"sandbox": "local", "budget": 5, "logs": tmp_path / "logs"}
        return run_agents(model, **(usual | settings))

    return run
