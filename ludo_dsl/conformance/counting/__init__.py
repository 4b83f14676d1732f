"""Roll-perft: how many positions can be reached, counted."""
