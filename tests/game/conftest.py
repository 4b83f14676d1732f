"""How hard Hypothesis tries: a little by default; `HYPOTHESIS_PROFILE=long` for a night."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile("short", max_examples=30, deadline=None, suppress_health_check=_SLOW, derandomize=True)
settings.register_profile("long", max_examples=3000, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("search", max_examples=300, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
