"""Whether the suite notices a rule book that is wrong in one thing, and scenarios for those that it does not."""
