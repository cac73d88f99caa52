"""The rules of who may import whom, held by reading the imports of every file."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOUNDATION = {"errors", "settings", "identity", "taxonomy", "records", "metric_names"}

MAY_IMPORT = {
    "prompts": FOUNDATION,
    "sampling": FOUNDATION,
    "parsing": FOUNDATION,
    "metrics": FOUNDATION,
    "charts": FOUNDATION,
    "curation": FOUNDATION,
    "exchange": FOUNDATION,
    "llm": FOUNDATION,
    "sandbox": FOUNDATION,
    "store": FOUNDATION,
    "protocols": FOUNDATION | {"prompts", "parsing", "metrics"},
    "training": set(),
    "agents": FOUNDATION | {"prompts", "parsing"},
    "runs": FOUNDATION | {"protocols", "llm.client"},
    "workflows": FOUNDATION
    | {"protocols", "prompts", "sampling", "parsing", "metrics", "curation", "exchange"}
    | {"runs", "store", "llm", "sandbox", "agents"},
}
"""What each part of core may import, besides itself; the foundation imports only the foundation."""

ONE_HOME = {
    "streamlit": ("app.py", "pages/"),
    "altair": ("core/charts/",),
    "duckdb": ("core/store/",),
    "litellm": ("core/llm/litellm_client.py",),
    "inspect_ai": ("core/agents/", "core/sandbox/inspect_docker.py"),
}
"""Libraries that only one place may import."""

PURE = ("metrics", "charts", "parsing", "sampling", "training")
IMPURE = {"os", "pathlib", "time", "socket", "random", "urllib", "httpx", "requests", "subprocess"}
THIRD_PARTY_IN_FOUNDATION = {"pandas", "numpy", "scipy", "duckdb", "litellm", "streamlit"}


def _files() -> list[Path]:
    return [ROOT / "app.py", *sorted((ROOT / "core").rglob("*.py")), *_pages()]


def _pages() -> list[Path]:
    return sorted((ROOT / "pages").rglob("*.py"))


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return found


def _part(path: Path) -> str:
    return path.relative_to(ROOT / "core").parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.py")), ids=lambda p: p.stem)
def test_each_part_of_core_imports_only_what_lies_below_it(path: Path) -> None:
    part = _part(path)
    if part.startswith("cli") or part == "__init__":
        return
    allowed = MAY_IMPORT.get(part, FOUNDATION) | {part}
    for name in _imports(path):
        if not name.startswith("core."):
            continue
        below = name.removeprefix("core.")
        assert any(below == ok or below.startswith(f"{ok}.") for ok in allowed), (
            f"{path.relative_to(ROOT)} imports {name}"
        )


@pytest.mark.parametrize("library", ONE_HOME)
def test_a_library_is_imported_in_its_one_home_only(library: str) -> None:
    strays = [
        str(path.relative_to(ROOT))
        for path in _files()
        if any(name.split(".")[0] == library for name in _imports(path))
        and not str(path.relative_to(ROOT)).startswith(ONE_HOME[library])
    ]
    assert not strays


def test_the_pure_parts_touch_no_files_clock_network_or_global_chance() -> None:
    for path in _files():
        if path.is_relative_to(ROOT / "core") and _part(path) in PURE:
            touched = {name.split(".")[0] for name in _imports(path)} & IMPURE
            assert not touched, f"{path.relative_to(ROOT)} imports {touched}"


def test_the_foundation_needs_the_standard_library_only() -> None:
    for name in FOUNDATION:
        roots = {one.split(".")[0] for one in _imports(ROOT / "core" / f"{name}.py")}
        assert not roots & THIRD_PARTY_IN_FOUNDATION


def test_pages_do_not_import_each_other() -> None:
    for path in _pages():
        allowed = "pages.shared"
        for name in _imports(path):
            assert not name.startswith("pages.") or name.startswith(allowed), (
                f"{path.relative_to(ROOT)} imports {name}"
            )


def test_no_screen_asks_which_protocol_it_has_before_it() -> None:
    names = (
        *("feasibility_boundary", "uncertainty_attribution", "in_advance_confidence"),
        "training_data",
    )
    for path in _pages():
        text = path.read_text(encoding="utf-8")
        assert not any(f'== "{name}"' in text for name in names), path.name


def test_sql_lives_in_the_store_only() -> None:
    for path in _files():
        if path.is_relative_to(ROOT / "core" / "store"):
            continue
        text = path.read_text(encoding="utf-8")
        assert "SELECT " not in text, f"{path.relative_to(ROOT)} holds SQL"
        assert "INSERT INTO" not in text, f"{path.relative_to(ROOT)} holds SQL"
