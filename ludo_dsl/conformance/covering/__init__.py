"""Which clauses and rules are exercised, by scenarios and by checks of other kinds."""
