"""The board as people see it: where its squares lie, drawings for the terminal, pictures."""
