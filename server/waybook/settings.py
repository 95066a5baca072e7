"""Options as people send them (lenient) become settings as the program uses them (frozen), each with its origin.

Layers, weakest first: built-in default, `waybook.toml` in the workspace, `WAYBOOK_*` in the environment,
`initializationOptions`, `workspace/configuration`, the command line. A bad or unknown value never stops anything: it
is a warning and the weaker layer's value stands. Trust settings fail closed: a value that cannot be read counts as the
safer one, and a workspace's own `waybook.toml` may not set them at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

MOST_COUNTED = 100_000_000
"""Settings that count something end here."""
SEVERITIES = ("error", "warning", "information", "hint", "off")


class BadValueError(ValueError):
    """A setting's value has the wrong shape; the text says what is expected."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadValueError("a text is expected")
    return value


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.casefold() in {"true", "1", "yes", "on"}:
        return True
    if isinstance(value, str) and value.casefold() in {"false", "0", "no", "off"}:
        return False
    raise BadValueError("true or false is expected")


def _count(value: Any) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_COUNTED:
        raise BadValueError(f"a whole number from 0 to {MOST_COUNTED:,} is expected")
    return number


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise BadValueError("a list of texts is expected")


def _severities(value: Any) -> Mapping[str, str]:
    if isinstance(value, Mapping) and all(isinstance(key, str) and item in SEVERITIES for key, item in value.items()):
        return dict(value)
    raise BadValueError(f"check codes with one of {', '.join(SEVERITIES)} are expected")


def _one_of(*choices: str) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        if value not in choices:
            raise BadValueError(f"one of {', '.join(choices)} is expected")
        return str(value)

    return convert


def option(default: Any, doc: str, convert: Callable[[Any], Any], *, workspace: bool = True) -> Any:
    """A settings field: its default, its manual text, its converter, and whether a workspace file may set it."""
    metadata = {"doc": doc, "convert": convert, "workspace": workspace}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, resolved. Names are the dotted names with `_`: `drift_against` is `waybook.drift.against`."""

    drift_against: str = option(
        "baseline",
        "What drift is measured against: the newest `baseline` of the workspace, or the pinned snapshot of a `run`.",
        _one_of("baseline", "run"),
    )
    drift_run: str = option("", "The run whose pin counts when `drift.against` is `run`.", _text)
    checks_severity: Mapping[str, str] = option(
        {},
        "Severity by check code: `error`, `warning`, `information`, `hint`, or `off`.",
        _severities,
    )
    exclude: tuple[str, ...] = option(
        (),
        "Directories (workspace-relative glob patterns) that no scan of the workspace enters.",
        _texts,
    )
    agents: tuple[str, ...] = option(
        (),
        "The agents that matter, by id (see `waybook agents list`). Empty: those whose traces are in the workspace or home.",
        _texts,
    )
    diagnostics_open_files_only: bool = option(
        default=False,
        doc="Report findings only for files that are open in the editor.",
        convert=_flag,
    )
    docs_url: str = option(
        "",
        "Address of the checks' manual page that findings link to. Empty: the page installed with Waybook.",
        _text,
        workspace=False,
    )
    data_dir: str = option(
        "",
        "Directory of the database and the log. Empty: the platform's user data directory.",
        _text,
        workspace=False,
    )
    cache_dir: str = option(
        "",
        "Directory of what is kept only to be quick. Empty: the platform's user cache directory.",
        _text,
        workspace=False,
    )
    store: str = option("", "Database URL. Empty: SQLite in the data directory.", _text, workspace=False)
    log_level: str = option(
        "info",
        "How much the log file says.",
        _one_of("debug", "info", "warning", "error"),
        workspace=False,
    )
    tokens_encoding: str = option(
        "o200k_base",
        "The vocabulary that token counts use.",
        _one_of("o200k_base", "cl100k_base"),
    )
    tokens_download: bool = option(
        default=False,
        doc="Let tiktoken fetch a vocabulary that is not installed.",
        convert=_flag,
        workspace=False,
    )
    compaction_summariser: str = option(
        "extractive",
        "Who summarises older messages: `extractive` (built in, sends nothing), `openai` (an endpoint that speaks its "
        "protocol) or `editor` (the editor's own model).",
        _one_of("extractive", "openai", "editor"),
        workspace=False,
    )
    compaction_endpoint: str = option(
        "",
        "Base URL of the endpoint for `openai`: https, or http on this machine. Empty: OpenAI's own. The key comes from "
        "`WAYBOOK_COMPACTION_API_KEY`, for OpenAI's own endpoint also from `OPENAI_API_KEY`.",
        _text,
        workspace=False,
    )
    compaction_model: str = option("", "The model that `openai` asks.", _text, workspace=False)
    compaction_window: int = option(128_000, "Tokens of the summarising model's window.", _count, workspace=False)
    compaction_keep: int = option(
        8_000, "Tokens of recent user messages that stay in full beside a summary.", _count, workspace=False
    )
    context_window: int = option(128_000, "Tokens of the model's window that a preview and a run count with.", _count)
    context_threshold: int = option(50, "Percent of the window past which a run's history is compressed.", _count)
    context_interval: int = option(
        5, "Rounds of tool calls between two reminders of the current context. 0: none.", _count
    )
    context_goal_compression: str = option(
        "on_overflow",
        "When finished goals are cleared from what is sent: `none`, `on_complete` (at once) or `on_overflow` (past the "
        "threshold).",
        _one_of("none", "on_complete", "on_overflow"),
    )


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings with, for each field, the layer that gave it, and warnings about values that were passed over."""

    settings: Settings
    origin: Mapping[str, str]
    warnings: tuple[str, ...]


def dotted(name: str) -> str:
    """The name people write for a field: `drift_against` -> `drift.against`."""
    head, _, tail = name.partition("_")
    return f"{head}.{tail}" if tail and name not in {"data_dir", "cache_dir"} else name


def flatten(options: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested or dotted options as one level of dotted names; known mapping-valued options stay whole."""
    flat: dict[str, Any] = {}
    for key, value in options.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and name not in _MAPPINGS:
            flat.update(flatten(value, f"{name}."))
        else:
            flat[name] = value
    return flat


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The options that `WAYBOOK_DRIFT_AGAINST` and the like set, by dotted name."""
    return {
        dotted(item.name): environ[key]
        for item in fields(Settings)
        if (key := f"WAYBOOK_{item.name.upper()}") in environ
    }


def resolve(*layers: tuple[str, Mapping[str, Any]]) -> Resolved:
    """Settings from layers (name, options), weakest first. The layer named `waybook.toml` counts as the workspace's."""
    values: dict[str, Any] = {}
    origin = {item.name: "default" for item in fields(Settings)}
    warnings: list[str] = []
    known = {dotted(item.name): item for item in fields(Settings)}
    for layer, options in layers:
        for name, value in flatten(options).items():
            item = known.get(name)
            if item is None:
                warnings.append(f"{layer}: there is no setting {name!r}.")
            elif layer == "waybook.toml" and not item.metadata["workspace"]:
                warnings.append(f"{layer}: {name} cannot be set by a workspace; set it in your editor or environment.")
            else:
                try:
                    values[item.name] = item.metadata["convert"](value)
                    origin[item.name] = layer
                except BadValueError as error:
                    warnings.append(f"{layer}: {name} is passed over: {error}.")
                    if isinstance(item.default, bool) and not item.metadata["workspace"]:
                        values.pop(item.name, None)
                        origin[item.name] = "default"
    return Resolved(Settings(**values), origin, tuple(warnings))


_MAPPINGS = {dotted(item.name) for item in fields(Settings) if item.metadata["convert"] is _severities}
