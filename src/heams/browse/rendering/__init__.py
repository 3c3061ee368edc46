"""From view models to HTML: the template environment, formats of numbers, display of foreign text, addresses."""
