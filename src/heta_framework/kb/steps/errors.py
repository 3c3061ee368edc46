"""What stops a step for reasons that running earlier steps again would mend."""

from __future__ import annotations

from heta_framework.kb.errors import StepError


class LostArtifactError(StepError):
    """What an earlier step left in a store is gone or damaged: the steps before this one have to run again.

    They find what is whole in the step cache, so that only what was lost is made anew.
    """
