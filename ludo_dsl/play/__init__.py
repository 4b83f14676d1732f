"""Playing: chance, players, matches and simulations, and the small Python interface to all of it."""
