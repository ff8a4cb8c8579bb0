"""Lists, page by page."""

from collections.abc import Callable, Iterator
from typing import TypeVar

Page = TypeVar("Page")


def pages(call: Callable[..., Page], /, *positional: object, **arguments: object) -> Iterator[Page]:
    """All pages of a list: `for page in pages(list_sessions.sync, "values-bridge", client=client)`."""
    while True:
        page = call(*positional, **arguments)
        yield page
        # The feed of events has a cursor on its last page too.
        if page.next_ is None or getattr(page, "at_end", False):
            return
        arguments["after"] = page.next_
