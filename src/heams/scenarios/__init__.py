"""Scenarios: typed actions, the scenario that strings them together, and the player that plays one."""
