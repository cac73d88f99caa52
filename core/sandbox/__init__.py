"""Run what a model wrote together with the checks of its task, locked away from everything else.

How success is decided. Only a process that the solution's code cannot reach says `passed`: see
`apart` for the checks that call a function with plain data, and `together` for those that need the
solution's own process, and for what the latter cannot promise.
"""
