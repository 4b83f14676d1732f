"""The game as everything else sees it: positions, moves, events, their notation, and the interface of engines."""
