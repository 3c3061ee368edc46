"""Judging by language models: policies, judges with votes and panels, and the reading of what they reply."""

from heta_framework.common.judge.aggregation import Tie
from heta_framework.common.judge.built_in import built_in_policy, policy_names
from heta_framework.common.judge.families import FAMILIES, Family
from heta_framework.common.judge.fencing import Material
from heta_framework.common.judge.judge import Judge
from heta_framework.common.judge.judgement import Judgement, Vote
from heta_framework.common.judge.kappa import cohens_kappa
from heta_framework.common.judge.pairwise import Comparison, PairwiseJudge
from heta_framework.common.judge.policy import (
    ClaimsPolicy,
    JudgePolicy,
    Label,
    LabelPolicy,
    ListPolicy,
    ScalePolicy,
)
from heta_framework.common.judge.prompting import judge_prompt, policy_hash
from heta_framework.common.judge.reading import Claim, Reading, Unreadable, read_reply

__all__ = [
    "FAMILIES",
    "Claim",
    "ClaimsPolicy",
    "Comparison",
    "Family",
    "Judge",
    "JudgePolicy",
    "Judgement",
    "Label",
    "LabelPolicy",
    "ListPolicy",
    "Material",
    "PairwiseJudge",
    "Reading",
    "ScalePolicy",
    "Tie",
    "Unreadable",
    "Vote",
    "built_in_policy",
    "cohens_kappa",
    "judge_prompt",
    "policy_hash",
    "policy_names",
    "read_reply",
]
