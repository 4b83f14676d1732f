"""Holding engines to the rules: scenarios, the protocol, verdicts, and whether the suite itself is any good."""
