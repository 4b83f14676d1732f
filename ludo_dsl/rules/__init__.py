"""The checked rules: what a rule book means, as frozen values without any text handling and without Python callables.

- `expressions`: conditions and numbers that statements ask about.
- `statements`: the statements themselves: `may`, `never`, `must`, `when` and what a game has once.
- `topology`: rings, routes and squares of a board with given measures.
- `book`: a whole checked rule book, with its options and readings still open.
- `table`: a rule book at one table: options, readings and players chosen, everything that hangs on them decided.
"""
