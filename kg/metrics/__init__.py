"""Measures of a network, one module a file."""
