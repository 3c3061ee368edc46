"""Facts that are one and the same become one: by name, and where models are there by meaning."""
