"""The command `ludo`, also as `python -m ludo_dsl`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; somebody who presses Ctrl-C while it is still loading sees no traceback."""
    try:
        from ludo_dsl.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
