"""`heams browse`: saved results as web pages, served on this machine."""
