"""Scenarios: reading them, checking them, playing one on a subject."""
