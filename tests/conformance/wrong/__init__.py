"""Engines that are wrong on purpose: each breaks one rule, or one promise of the protocol."""
