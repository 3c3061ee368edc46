"""What is raised when an external program or server does not do what the protocol says."""


class ExternalProgramError(Exception):
    """A program or server failed, died, was too slow, or broke the protocol.

    The message names the program, the operation and, where an answer has the wrong shape, the field. Commands that
    cannot be started at all are a ``heta_framework.common.config.ConfigError``.
    """
