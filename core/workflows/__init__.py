"""What each screen and each command can do, as plain functions."""
