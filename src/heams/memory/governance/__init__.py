"""Rules around a memory: retention by category and purpose, legal hold, and access by principal and role."""
