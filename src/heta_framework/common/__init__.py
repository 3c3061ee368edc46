"""The ground floor of the framework: written once, used by both storeys."""
