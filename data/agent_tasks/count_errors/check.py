from pathlib import Path

assert Path("answer.txt").read_text().strip() == "29", "another number"
