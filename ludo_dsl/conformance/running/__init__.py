"""Holding an engine to a suite: runs, verdicts, open readings, known failures, watched games."""
