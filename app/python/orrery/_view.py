"""The window, driven from here."""
from __future__ import annotations


class View: ...


def show() -> View: ...
