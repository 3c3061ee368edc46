"""Questions about judges to the tables of an experiment."""
