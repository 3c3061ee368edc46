"""Text: tokens, and the repairs that text from outside needs before it is stored or counted."""
