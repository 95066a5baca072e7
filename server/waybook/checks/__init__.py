"""One file per diagnostic. The list is explicit: adding a check is one file, one line here, one marker test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks import (
    bad_front_matter,
    broken_import,
    conflicting_agents,
    conflicting_rule,
    dead_glob,
    dead_path,
    discovery_failed,
    displaced_file,
    duplicate_rule,
    empty_override,
    fingerprint_stale,
    hidden_unicode,
    ignore_file_invalid,
    import_cycle,
    import_outside_workspace,
    import_too_deep,
    instruction_added,
    instruction_changed,
    instruction_removed,
    instruction_reordered,
    never_loaded,
    not_loaded_by,
    secret_in_instructions,
    shadowed_file,
    symlinked_file,
    truncated,
    unknown_suppression,
    unmaterialised_link,
    wrong_case_name,
)

if TYPE_CHECKING:
    from waybook.checks.model import Check

CHECKS: tuple[Check, ...] = (
    discovery_failed.CHECK,
    ignore_file_invalid.CHECK,
    fingerprint_stale.CHECK,
    instruction_added.CHECK,
    instruction_changed.CHECK,
    instruction_removed.CHECK,
    instruction_reordered.CHECK,
    symlinked_file.CHECK,
    unmaterialised_link.CHECK,
    shadowed_file.CHECK,
    empty_override.CHECK,
    wrong_case_name.CHECK,
    truncated.CHECK,
    displaced_file.CHECK,
    not_loaded_by.CHECK,
    never_loaded.CHECK,
    broken_import.CHECK,
    import_outside_workspace.CHECK,
    import_cycle.CHECK,
    import_too_deep.CHECK,
    dead_path.CHECK,
    dead_glob.CHECK,
    bad_front_matter.CHECK,
    hidden_unicode.CHECK,
    secret_in_instructions.CHECK,
    duplicate_rule.CHECK,
    conflicting_rule.CHECK,
    conflicting_agents.CHECK,
    unknown_suppression.CHECK,
)
