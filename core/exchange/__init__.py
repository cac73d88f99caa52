"""Files in and files out, one format per module."""
