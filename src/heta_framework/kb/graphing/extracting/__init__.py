"""How entities and relations come out of texts: by a language model, by spaCy, or lexically."""
