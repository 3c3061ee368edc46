"""Checks regular expressions with the engine that will run them: RE2, whose time grows with the text and never more."""

from functools import lru_cache


@lru_cache(maxsize=256)
def problem_of(pattern: str) -> str | None:
    """What RE2 says against ``pattern``; None where it can be used."""
    import duckdb

    with duckdb.connect() as connection:
        try:
            connection.execute("SELECT regexp_matches('', $pattern, 'i')", {"pattern": pattern})
        except duckdb.Error as cause:
            return str(cause).partition(": ")[2].partition("\n")[0]
    return None
