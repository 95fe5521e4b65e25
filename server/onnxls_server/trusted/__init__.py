"""Opt-in truth: a source is imported in a process of its own, converted, and the exact models are analysed."""
