"""What the page that compares two experiments shows."""
