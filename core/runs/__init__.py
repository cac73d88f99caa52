"""Running many calls: bounded, resumable, within a budget."""
