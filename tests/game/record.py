"""Writes the recorded games anew: `python -m tests.game.record`.

This is how an intended change of the rules, the engine or the notation is accepted: run it, and read the difference in
`tests/game/playthroughs` before it is committed. Every line that changed is a position that a game now comes to instead.
"""

from __future__ import annotations

from tests.game.playthrough import FOLDER, path, recorded, text


def main() -> None:
    """Writes a file for each recorded table and removes those of tables that are no more."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {path(setup): text(setup) for setup in recorded()}
    for old in set(FOLDER.glob("*.txt")) - set(wanted):
        old.unlink()
    for file, content in wanted.items():
        file.write_text(content, encoding="utf-8")
    print(f"{len(wanted)} games, {sum(map(len, wanted.values())) // 1024} kB")


if __name__ == "__main__":
    main()
