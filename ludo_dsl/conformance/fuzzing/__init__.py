"""Random games on an engine in step with the rules, and what differs made small."""
