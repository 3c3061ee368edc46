"""What steps derive from documents and how it is kept: in packs, under keys made of what it was derived from."""
