"""The public names of the package: exactly these, each importable, sorted."""

import heams


def test_every_exported_name_exists() -> None:
    assert heams.__all__ == sorted(heams.__all__)
    for name in heams.__all__:
        assert getattr(heams, name) is not None


def test_unknown_names_are_refused() -> None:
    assert not hasattr(heams, "no_such_name")
