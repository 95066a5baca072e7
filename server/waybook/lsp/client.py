"""What the client can do, read once from its capabilities; everything else asks this record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from lsprotocol import types

    from waybook.base.text import Encoding

_KNOWN_ENCODINGS = ("utf-8", "utf-16", "utf-32")


@dataclass(frozen=True, slots=True)
class Client:
    """The client's abilities and wishes; the defaults are what a client that says nothing can do."""

    name: str = ""
    encoding: Encoding = "utf-16"
    markdown: bool = False
    watches_files: bool = False
    relative_patterns: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    document_changes: bool = False
    resource_operations: frozenset[str] = frozenset()
    related_information: bool = False
    tags: bool = False
    code_description: bool = False
    pull: bool = False
    pull_refresh: bool = False
    lens_refresh: bool = False
    progress: bool = False
    show_document: bool = False
    message_actions: bool = False
    applies_edits: bool = False
    hierarchical_symbols: bool = False
    definition_links: bool = False
    action_literals: bool = False
    action_data: bool = False
    preferred_actions: bool = False
    snippets: bool = False
    rename_edits: bool = False


def encoding_for(offered: list[Any] | None) -> Encoding:
    """The first encoding the client lists that we know; UTF-16 when it lists none."""
    for item in offered or ():
        if str(getattr(item, "value", item)) in _KNOWN_ENCODINGS:
            return cast("Encoding", str(getattr(item, "value", item)))
    return "utf-16"


def read_client(params: types.InitializeParams) -> Client:
    """The record for one `initialize` request."""
    has = _Reader(params.capabilities)
    operations = has("workspace.workspace_edit.resource_operations") or ()
    formats = has("text_document.hover.content_format") or ()
    return Client(
        name=params.client_info.name if params.client_info else "",
        encoding=encoding_for(has("general.position_encodings")),
        markdown="markdown" in {_value(item) for item in formats},
        watches_files=bool(has("workspace.did_change_watched_files.dynamic_registration")),
        relative_patterns=bool(has("workspace.did_change_watched_files.relative_pattern_support")),
        configuration=bool(has("workspace.configuration")),
        registers_configuration=bool(has("workspace.did_change_configuration.dynamic_registration")),
        document_changes=bool(has("workspace.workspace_edit.document_changes")),
        resource_operations=frozenset(_value(item) for item in operations),
        related_information=bool(has("text_document.publish_diagnostics.related_information")),
        tags=has("text_document.publish_diagnostics.tag_support") is not None,
        code_description=bool(has("text_document.publish_diagnostics.code_description_support")),
        pull=has("text_document.diagnostic") is not None,
        pull_refresh=bool(has("workspace.diagnostics.refresh_support")),
        lens_refresh=bool(has("workspace.code_lens.refresh_support")),
        progress=bool(has("window.work_done_progress")),
        show_document=bool(has("window.show_document.support")),
        message_actions=has("window.show_message") is not None,
        applies_edits=bool(has("workspace.apply_edit")),
        hierarchical_symbols=bool(has("text_document.document_symbol.hierarchical_document_symbol_support")),
        definition_links=bool(has("text_document.definition.link_support")),
        action_literals=has("text_document.code_action.code_action_literal_support") is not None,
        action_data=bool(has("text_document.code_action.data_support")),
        preferred_actions=bool(has("text_document.code_action.is_preferred_support")),
        snippets=bool(has("text_document.completion.completion_item.snippet_support")),
        rename_edits=bool(has("workspace.file_operations.will_rename")),
    )


def _value(item: Any) -> str:
    return str(getattr(item, "value", item))


class _Reader:
    """Follows a dotted name through capabilities; None where a step is missing."""

    def __init__(self, capabilities: Any) -> None:
        self._capabilities = capabilities

    def __call__(self, name: str) -> Any:
        value = self._capabilities
        for part in name.split("."):
            value = getattr(value, part, None)
            if value is None:
                return None
        return value
