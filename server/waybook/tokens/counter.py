"""Counting, cached by content, never in the way of a start."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from waybook.base.errors import UnavailableError
from waybook.tokens.model import Count

if TYPE_CHECKING:
    from collections.abc import Callable

    from tiktoken import Encoding

    from waybook.tokens.vocabulary import Find

DEFAULT_ENCODING = "o200k_base"
CAPACITY = 4096
"""Counts kept by content digest: two numbers each, so memory is no concern and the bound only a bound."""


class Counter:
    """Counts the tokens of texts in one vocabulary.

    `allow_download` lets tiktoken fetch a vocabulary that is not installed (setting `tokens.download`). `find` gives
    the installed data. Every method may be called from any thread. A vocabulary that cannot be had is tried once.
    """

    def __init__(
        self,
        encoding: str = DEFAULT_ENCODING,
        *,
        allow_download: bool = False,
        find: Find | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        self.encoding = encoding
        self._allow_download = allow_download
        self._find = find
        self._capacity = capacity
        self._loaded: Encoding | None = None
        self._failure: UnavailableError | None = None
        self._said = False
        self._loading = threading.Lock()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waiting: list[Callable[[], None]] = []
        self._cache: OrderedDict[str, int | None] = OrderedDict()

    @property
    def ready(self) -> bool:
        """Whether the vocabulary is in memory."""
        return self._loaded is not None

    @property
    def settled(self) -> bool:
        """Whether loading has ended, well or not."""
        return self._loaded is not None or self._failure is not None

    @property
    def failure(self) -> UnavailableError | None:
        """Why no tokens can be counted, once that is known."""
        return self._failure

    def notice(self) -> str | None:
        """Tell why counts are missing: the reason the first time, None ever after (and while all is well)."""
        with self._guard:
            if self._failure is None or self._said:
                return None
            self._said = True
        hint = f" {self._failure.hint}" if self._failure.hint else ""
        return f"Token counts are unavailable, sizes are shown in bytes only. {self._failure.message}{hint}"

    def count(self, text: str, sha: str | None = None) -> int | None:
        """Count the tokens of `text`; loads the vocabulary first if need be (about 0.25 seconds, blocking).

        `sha`, a digest of `text`, lets the cache answer. None when no vocabulary can be had, or for a text that
        tiktoken cannot take (a run of about a million blanks).
        """
        hit, tokens = self._cached(sha)
        if hit:
            return tokens
        encoding = self._load()
        if encoding is None:
            return None
        tokens = _count(encoding, text)
        self._keep(sha, tokens)
        return tokens

    def count_ready(self, text: str, sha: str | None = None) -> int | None:
        """As `count`, but never waits for the vocabulary: None until it is loaded."""
        return self.count(text, sha) if self._loaded is not None else None

    def measure(self, text: str, sha: str | None = None, *, approximate: bool = False) -> Count | None:
        """`count_ready` with the name of the vocabulary; `approximate` when the agent's model uses another one."""
        tokens = self.count_ready(text, sha)
        return None if tokens is None else Count(tokens, self.encoding, approximate)

    def start_loading(self, callback: Callable[[], None] | None = None) -> None:
        """Load on a background thread; `callback` is called once loading has ended, well or not (see `ready`).

        It is called on that thread, or at once on this one if loading has ended before. Calling again while the
        thread runs adds the callback and starts nothing.
        """
        with self._guard:
            if not self.settled:
                if callback is not None:
                    self._waiting.append(callback)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._load_and_tell, name="waybook-tokens", daemon=True)
                    self._thread.start()
                return
        if callback is not None:
            callback()

    def _load_and_tell(self) -> None:
        try:
            self._load()
        finally:
            with self._guard:
                waiting, self._waiting = self._waiting, []
                self._thread = None
            for callback in waiting:
                callback()

    def _load(self) -> Encoding | None:
        if self.settled:
            return self._loaded
        with self._loading:
            if not self.settled:
                loaded, failure = self._attempt()
                with self._guard:  # so that no callback slips in between "ended" and the list being told
                    self._loaded, self._failure = loaded, failure
        return self._loaded

    def _attempt(self) -> tuple[Encoding | None, UnavailableError | None]:
        from waybook.tokens import vocabulary  # gzip, hashlib and tiktoken are for wanted counts only

        try:
            return vocabulary.build(self.encoding, self._find or vocabulary.installed), None
        except UnavailableError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 - a broken or changed tiktoken costs the counts, never the program
            failure = UnavailableError(f"tiktoken failed to load ({type(error).__name__}).", code="tokens-unavailable")
        if not self._allow_download:
            return None, failure
        try:
            return vocabulary.fetch(self.encoding), None
        except UnavailableError as error:
            return None, error

    def _cached(self, sha: str | None) -> tuple[bool, int | None]:
        if sha is None:
            return False, None
        with self._guard:
            if sha not in self._cache:
                return False, None
            self._cache.move_to_end(sha)
            return True, self._cache[sha]

    def _keep(self, sha: str | None, tokens: int | None) -> None:
        if sha is None:
            return
        with self._guard:
            self._cache[sha] = tokens
            self._cache.move_to_end(sha)
            while len(self._cache) > self._capacity:
                self._cache.popitem(last=False)


def _count(encoding: Encoding, text: str) -> int | None:
    try:
        return len(encoding.encode_ordinary(text))  # `encode` raises on text such as "<|endoftext|>"
    except BaseException as error:
        # A panic inside tiktoken arrives as PanicException, which is no Exception and would end an event loop.
        if type(error).__name__ != "PanicException":
            raise
        return None
