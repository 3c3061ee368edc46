"""Models: a protocol each, one offline implementation each."""
