"""The parser's tables, kept in a file of the temporary folder: making them takes half a second, reading them much less."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import lark
from lark import Lark

_DIGEST = hashlib.sha256().digest_size


def cached(key: str, make: Callable[[], Lark]) -> Lark:
    """The parser that `make` makes, from the cache if it is there; `key` is all that the parser hangs on.

    Whatever is wrong with the file or its folder, the parser is made anew: a cache is no reason to fail.
    """
    path = _path(f"{key}\n{lark.__version__}\n{sys.version_info[:2]}")
    found = _read(path) if path is not None else None
    if found is not None:
        return found
    made = make()
    if path is not None:
        _write(path, made)
    return made


def _path(key: str) -> Path | None:
    """The file for a key, in a folder that nobody else can write to; none if there is no such folder."""
    try:
        user = os.getuid() if hasattr(os, "getuid") else None
        folder = Path(tempfile.gettempdir()) / (f"ludo-dsl-{user}" if user is not None else "ludo-dsl")
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    # What is unpickled must come from ourselves.
    if not stat.S_ISDIR(found.st_mode) or (user is not None and (found.st_uid != user or found.st_mode & 0o022)):
        return None
    return folder / f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _read(path: Path) -> Lark | None:
    """The parser in a file that is whole: its digest stands before it."""
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        return Lark.load(io.BytesIO(data[_DIGEST:]))
    except Exception:
        return None


def _write(path: Path, made: Lark) -> None:
    """Puts the file there at once, so that nobody reads half of it; without success if the folder does not let us."""
    buffer = io.BytesIO()
    made.save(buffer)
    data = buffer.getvalue()
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
