"""The interpreter: the definition of the game. It reads like `spec/language/play.md`, in the same order.

- `scene`: what conditions can see: a position while a step is being worked out.
- `meaning`: what expressions mean in a scene.
- `candidates`: which moves `may` makes and `never` removes, and how `must` narrows the choice.
- `resolution`: what a move does, phase by phase.
- `turn`: what happens between moves.
- `engine`: all of it behind the engine interface.
"""

from ludo_dsl.interpreter.engine import Interpreter
from ludo_dsl.interpreter.freezing import Memory

__all__ = ["Interpreter", "Memory"]
