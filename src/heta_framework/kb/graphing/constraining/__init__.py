"""Facts that fit a schema: judged by a language model, or by lists of types."""
