"""Pure metrics: counts or frames in, numbers out."""
