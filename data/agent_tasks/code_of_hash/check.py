import hashlib
from pathlib import Path

# Nobody kept the code: out of 36 to the 24th none can be found by trying.
said = Path("answer.txt").read_text().strip()
digest = "d5339d5555fe86b4ba2d7058ed9d18b9b364099f8585af1739ad76aa70a48348"
assert hashlib.sha256(said.encode()).hexdigest() == digest, "another code"
