"""The error of everything that reads saved results."""


class ResultsError(Exception):
    """Results cannot be read: nothing is there, or a file is damaged. The message names it."""
