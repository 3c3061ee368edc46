"""``learner``: an agent without a model that gets better by what it is told about its answers."""

from heams.agents.learner.agent import LearnerAgent
from heams.agents.learner.config import LearnerAgentConfig

__all__ = ["LearnerAgent", "LearnerAgentConfig"]
