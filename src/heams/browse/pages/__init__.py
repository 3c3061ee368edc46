"""One module a page. Each has ``routes()``: that makes it part of the application, nothing else is needed.

Endpoints are plain functions, which run in threads: they ask the library, build a view model, and render one template.
"""
