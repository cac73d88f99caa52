"""Runs every benchmark in turn: `python -m tests.bench`."""

from importlib import import_module
from pathlib import Path


def main() -> None:
    """Print what each benchmark prints, under its name."""
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        print(f"\n== {path.stem.removeprefix('bench_')} ==", flush=True)
        import_module(f"tests.bench.{path.stem}").main()


if __name__ == "__main__":
    main()
