"""Makes the labelled set from its placeholders: no token-shaped text stands in any file."""

import base64
import json
import random
import re
import string
import uuid
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "secrets"
WORDS = ("harbor", "violet", "cinder", "maple", "orbit", "quartz", "ember", "willow", "falcon", "tundra")
ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "lowalnum": string.ascii_lowercase + string.digits,
    "b32low": string.ascii_lowercase + "234567",
    "UPPER": string.ascii_uppercase + string.digits,
    "B32": string.ascii_uppercase + "234567",
    "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "BASE58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "base64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "-_",
    "hex": "0123456789abcdef",
    "digit": string.digits,
}
_FIELD = re.compile(r"\{(?:(" + "|".join(ALPHABETS) + r"):(\d+)|(word|uuid|key|basic|join))\}")


def fill(shape, rng):
    """Expand a shape's placeholders; the same generator state gives the same text."""

    def one(match):
        if match[1]:
            size, letters = int(match[2]), ALPHABETS[match[1]]
            body = "".join(rng.choice(letters) for _ in range(size))
            return re.sub(r"[-_]$", "Q", re.sub(r"^[-_0]", "Z", body)) if match[1] == "url" else body
        return {
            "word": lambda: rng.choice(WORDS),
            "uuid": lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
            "key": lambda: "PRIVATE KEY",
            "basic": lambda: base64.b64encode(b"deploy:" + fill("{word}{UPPER:2}{digit:4}", rng).encode()).decode(),
            "join": lambda: "",
        }[match[3]]()

    return _FIELD.sub(one, shape)


def kinds():
    """(kind, contexts, make a secret) for each kind of the set."""
    data = json.loads((FOLDER / "kinds.json").read_text("utf-8"))
    for kind in data["kinds"]:
        contexts = kind.get("contexts", data["contexts"])
        yield kind["kind"], [text.replace("{name}", kind["name"]) for text in contexts], kind["shape"]


def positives(draws=5, seed=7):
    """(kind, text, secret) for each kind, context and draw."""
    rng = random.Random(seed)
    for kind, contexts, shape in kinds():
        for context in contexts:
            plain = context.replace("{{", "{").replace("}}", "}")
            for _ in range(draws):
                secret = fill(shape, rng)
                yield kind, plain.replace("{secret}", secret), secret


def negatives(draws=5, seed=11):
    """(template, text) for each hard negative and draw."""
    rng = random.Random(seed)
    for line in (FOLDER / "negatives.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("# "):
            for _ in range(draws if _FIELD.search(line) else 1):
                yield line, fill(line, rng).replace("\\n", "\n")
