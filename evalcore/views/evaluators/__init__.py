"""Evaluator files on somebody's desk: their checks, settings, prompts, and trying them out."""
