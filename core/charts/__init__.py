"""Altair charts: a frame in, a chart out."""
