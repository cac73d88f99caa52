"""Selfbound's engine room: everything but the screens."""
