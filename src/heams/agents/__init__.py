"""Agents: each in a file of its own, with its configuration; `heams.agents.factory` knows them all."""
