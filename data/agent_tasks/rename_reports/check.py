from pathlib import Path

wanted = {
    "20291103_north_report.txt": "north on 2029-11-03\n",
    "20300115_south_report.txt": "south on 2030-01-15\n",
    "20300228_north_report.txt": "north on 2030-02-28\n",
    "20311231_east_report.txt": "east on 2031-12-31\n",
    "readme.txt": "Not a report.\n",
}
found = {path.name: path.read_text() for path in Path("reports").iterdir()}
assert found == wanted, f"other files: {sorted(found)}"
