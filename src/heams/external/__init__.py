"""Agents and memory systems written in any language: the protocol, and the two ways of speaking it."""
