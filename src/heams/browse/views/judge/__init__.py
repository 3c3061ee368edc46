"""What the page of judges shows."""
