"""What is wrong with a file that should be a record; apart from the records, so that telling it loads little."""

from __future__ import annotations


class RecordError(Exception):
    """A file that is no record, or that cannot be read as one; `line` counts from 1, or is 0 for the file as a whole."""

    def __init__(self, file: str, line: int, message: str, hint: str = "") -> None:
        self.file = file
        self.line = line
        self.message = message
        self.hint = hint
        super().__init__(f"{self.place}: {message}")

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.line else self.file
