"""The path that every model call takes: meter, record or replay, cache, limit, retry, provider."""
