"""Search in a graph: the facts that a question is about, and walks from them to passages."""
