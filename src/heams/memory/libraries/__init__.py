"""Memory systems that are a library of somebody else, with a client and a store of its own."""
