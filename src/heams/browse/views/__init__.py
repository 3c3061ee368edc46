"""What pages show, as frozen dataclasses: built from the index and from reporting, rendered by templates."""
