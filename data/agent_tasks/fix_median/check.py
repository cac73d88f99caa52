import runpy

median = runpy.run_path("stats.py")["median"]
given = [9, 1, 5]
assert median(given) == 5
assert given == [9, 1, 5], "the list was changed"
assert median([4, 1, 3, 2]) == 2.5
assert median([7]) == 7
assert median([-1.5, -2.5]) == -2.0
