"""Help for the people who clean a set of tasks; nothing here decides."""
