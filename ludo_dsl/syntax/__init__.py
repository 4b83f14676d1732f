"""From text to a syntax tree, and back to well-formed text."""
