"""Rules around a memory: retention by category and purpose, legal hold, access by principal and role, and screening."""
