"""What the page of one sample shows, one file a part of it."""
