"""Why pages cannot be served."""


class BrowseError(Exception):
    """A mistake in what was asked for, in words for who asked."""
