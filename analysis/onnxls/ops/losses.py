"""Operator rules of this family."""
