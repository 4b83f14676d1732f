"""The rule book of Ludo: rules that people read, play and hold engines to.

>>> import ludo_dsl
>>> game = ludo_dsl.load("amarnepal").start(players=2)
>>> game.roll(6).legal()
['Y>0']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Game", "RuleBook", "__version__", "load"]

if TYPE_CHECKING:
    from ludo_dsl.play.game import Game, RuleBook, load


def __getattr__(name: str) -> object:
    # The parser is loaded when it is needed, so that `ludo --help` answers at once.
    if name in ("Game", "RuleBook", "load"):
        from ludo_dsl.play import game

        return getattr(game, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
