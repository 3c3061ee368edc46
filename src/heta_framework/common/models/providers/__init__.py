"""Models of pydantic-ai behind the call path."""
