"""Memory systems: the protocol in ``base``, one system a module, all of them together in ``factory``."""
