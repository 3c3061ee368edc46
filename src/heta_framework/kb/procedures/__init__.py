"""Procedures: sequences of steps under one name."""

from heta_framework.kb.procedures.heta_graph import GraphProcedureMode, HetaGraphProcedure
from heta_framework.kb.procedures.protocol import KnowledgeProcedureProtocol

__all__ = ["GraphProcedureMode", "HetaGraphProcedure", "KnowledgeProcedureProtocol"]
