"""Writing a file as a whole or not at all."""

from __future__ import annotations

from pathlib import Path


def part_of(path: Path) -> Path:
    """Where a file grows before it is whole."""
    return path.with_name(path.name + ".part")


def save(path: Path, data: bytes) -> None:
    """Writes a file: readers see the old one or the new one, never a half. Raises `OSError`."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced.
        target.write_bytes(data)
        return
    fresh = target.with_name(target.name + ".new")
    try:
        fresh.write_bytes(data)
        fresh.replace(target)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
