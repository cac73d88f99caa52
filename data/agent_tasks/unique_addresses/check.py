from pathlib import Path

names = ["ada@example.org", "bob@example.org", "carl@example.net", "dora@example.com"]
wanted = [*names, "eve@example.org"]
assert Path("unique.txt").read_text().split("\n") == [*wanted, ""], "other lines"
