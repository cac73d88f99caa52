import hashlib
from pathlib import Path

said = Path("answer.txt").read_text().strip()
digest = "73538f85f2d1d29af0b7c3a1007e5748418a6376cd5ac47cd8c68486abe28699"
assert hashlib.sha256(said.encode()).hexdigest() == digest, "another word"
