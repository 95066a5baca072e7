// The pin beside the disk: directories that left the baseline, and in each the files that changed.

import type { Drift, FileChange, ScopeDrift } from "../answers";
import { count, day, escaped, scopeName } from "../wording";
import type { Row } from "./row";
import { note } from "./row";

const STATES = {
  changed: { icon: "diff-modified", color: "gitDecoration.modifiedResourceForeground", words: "changed" },
  added: { icon: "diff-added", color: "gitDecoration.addedResourceForeground", words: "new" },
  removed: { icon: "diff-removed", color: "gitDecoration.deletedResourceForeground", words: "gone" },
  refused: { icon: "error", color: "list.errorForeground", words: "refused" },
};

/** `folder` is the workspace folder's path, as commands take it. */
export function driftRows(folder: string, name: string, drift: Drift): Row[] {
  const pinned = `revision ${String(drift.revision)}, ${drift.pinned_by}, ${day(drift.pinned_at)}`;
  if (!drift.stale) {
    return [{ ...note(`${folder}/clean`, "Nothing drifted", "pass", `since ${pinned}`), color: "charts.green" }];
  }
  const scopes = drift.scopes.length;
  const summary = `${count(scopes, "directory", "directories")} · ${pinned}`;
  return [
    {
      id: folder,
      label: `${name} drifted`,
      description: summary,
      icon: "warning",
      color: "list.warningForeground",
      tooltip: `Compared with revision ${String(drift.revision)}, pinned by ${escaped(drift.pinned_by)} at ${escaped(drift.pinned_at)}.`,
      spoken: `${name} drifted: ${summary}`,
      flags: drift.expected_live_fingerprint === "" ? ["blocked"] : ["confirmable"],
      subject: { kind: "workspaceDrift", of: { folder, drift } },
      children: drift.scopes.map((scope) => scopeRow(folder, drift, scope)),
    },
  ];
}

function scopeRow(folder: string, drift: Drift, scope: ScopeDrift): Row {
  const state = STATES[scope.state];
  const children = filesOf(scope, drift).map((change) => fileRow(folder, scope.scope, change));
  if (scope.error !== null) {
    const { message, hint } = scope.error;
    children.push({
      ...note(`${folder}/${scope.scope}/error`, message, "error", hint ?? ""),
      color: "list.errorForeground",
      tooltip: escaped(`${message} ${hint ?? ""}`),
    });
  } else if (children.length === 0) {
    children.push(note(`${folder}/${scope.scope}/other`, otherwise(scope)));
  }
  return {
    id: `${folder}/${scope.scope}`,
    label: scopeName(scope.scope),
    description: state.words,
    icon: scope.state === "refused" ? "error" : "folder",
    color: state.color,
    spoken: `${scopeName(scope.scope)}, ${state.words}, ${count(children.length, "entry", "entries")}`,
    flags: scope.state === "refused" ? ["blocked"] : ["confirmable"],
    subject: { kind: "scopeDrift", of: { folder, drift, scope } },
    children,
  };
}

/** The files of a scope that changed, each with its difference; none for a scope that cannot be read or is gone. */
export function filesOf(scope: ScopeDrift, drift: Drift): FileChange[] {
  if (scope.diff === null) return [];
  const names = new Set([...scope.diff.added, ...scope.diff.removed, ...scope.diff.changed]);
  return drift.files.filter((file) => names.has(file.path));
}

function otherwise(scope: ScopeDrift): string {
  if (scope.state === "removed") return "No instruction file is left here";
  return scope.diff?.order_changed === true ? "The order of the files changed" : "Ignored files or limits changed";
}

function fileRow(folder: string, scope: string, change: FileChange): Row {
  const state = STATES[change.change];
  return {
    id: `${folder}/${scope}//${change.path}`,
    label: change.path,
    description: state.words,
    icon: state.icon,
    color: state.color,
    tooltip: `**${escaped(change.path)}** — ${state.words} since it was pinned. Open to see both texts side by side.`,
    spoken: `${change.path}, ${state.words} since it was pinned`,
    subject: { kind: "fileDrift", of: { folder, scope, change } },
    click: "waybook.openDiff",
  };
}
