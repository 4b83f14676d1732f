"""Running statistics with confidence intervals; memory does not grow with what is counted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(slots=True)
class Mean:
    """Mean and spread of numbers seen one after the other (Welford's method)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0
    low: float = math.inf
    high: float = -math.inf

    def add(self, value: float) -> None:
        """Takes in one more number."""
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self._squares += delta * (value - self.mean)
        self.low, self.high = min(self.low, value), max(self.high, value)

    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean (normal approximation); the mean itself from fewer than two numbers."""
        if self.count < 2:
            return self.mean, self.mean
        half = _Z * math.sqrt(self._squares / (self.count - 1) / self.count)
        return self.mean - half, self.mean + half


def proportion(successes: int, count: int) -> tuple[float, float]:
    """The 95 % confidence interval of a proportion, by Wilson's score; 0 to 1 when nothing was counted."""
    if not count:
        return 0.0, 1.0
    share = successes / count
    centre = (share + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    half = _Z / (1 + _Z**2 / count) * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    return max(0.0, centre - half) if successes else 0.0, min(1.0, centre + half) if successes < count else 1.0
