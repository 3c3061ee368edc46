"""A graph in SQL tables and vector collections: how it is written, brought up to date and read."""
