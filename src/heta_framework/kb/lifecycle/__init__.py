"""How a knowledge base is built, taken up, loaded and updated: what `KnowledgeBase` does behind its methods."""
