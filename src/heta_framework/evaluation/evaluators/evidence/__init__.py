"""Whether a result is what an evidence label means."""
