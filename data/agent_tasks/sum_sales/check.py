import csv
from pathlib import Path

with Path("totals.csv").open(newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file))
wanted = [["name", "total"], ["chloé", "100.00"], ["anna", "18.00"], ["Ben, Jr.", "4.00"]]
assert rows == wanted, f"other rows: {rows}"
