// Commands about the pin: pin, look at what drifted, confirm exactly what was seen.

import * as vscode from "vscode";

import type { Drift, FileChange, Pinned, ScopeDrift, Snapshot } from "../answers";
import type { Shown } from "../documents/shown";
import type { Hub } from "../hub";
import { driftOf } from "../load";
import { before } from "../patch";
import { Refusal } from "../refusal";
import { filesOf } from "../rows/drift";
import { count, scopeName } from "../wording";
import { subjectOf, sure } from "./pick";

interface Sides {
  pinned: vscode.Uri;
  disk: vscode.Uri;
}

export function registerDrift(hub: Hub, shown: Shown): void {
  hub.command("waybook.pinInstructions", () => pin(hub));
  hub.command("waybook.openDiff", async (row) => {
    const found = await subjectOf(hub, "drift", "fileDrift", row, "Which file's difference?");
    if (found === undefined) return;
    const { pinned, disk } = sides(hub, shown, found.folder, found.scope, found.change);
    await vscode.commands.executeCommand("vscode.diff", pinned, disk, `${found.change.path} (pinned ↔ disk)`, { preview: true });
  });
  hub.command("waybook.openDrift", async (row) => {
    const whole = await subjectOf(hub, "drift", "workspaceDrift", row, "Which workspace's drift?");
    if (whole !== undefined) await showAll(hub, shown, whole.folder, whole.drift);
  });
  hub.command("waybook.confirmInstructions", async (row) => {
    const whole = await subjectOf(hub, "drift", "workspaceDrift", row, "Which workspace?");
    if (whole !== undefined) await confirmAll(hub, shown, whole.folder, whole.drift);
  });
  hub.command("waybook.confirmScope", async (row) => {
    const accept = (item: { flags?: string[] }): boolean => item.flags?.includes("confirmable") ?? false;
    const found = await subjectOf(hub, "drift", "scopeDrift", row, "Which directory?", accept);
    if (found !== undefined) await confirmOne(hub, found.folder, found.drift, found.scope);
  });
}

/** The server's lenses and quick fixes name these; the window shows them its own way. */
export function intercepted(hub: Hub, shown: Shown, command: string, argument: unknown): Promise<unknown> | undefined {
  const given = (argument ?? {}) as { workspace?: string };
  const folder = hub.folders.find((item) => item.uri.fsPath === given.workspace) ?? hub.folders[0];
  if (folder === undefined) return undefined;
  const withDrift = async (then: (drift: Drift) => Promise<unknown>): Promise<unknown> => {
    const drift = await driftOf(hub, folder);
    if (drift?.stale === true) return then(drift);
    return vscode.window.showInformationMessage("Waybook: nothing drifted since it was pinned.");
  };
  const path = folder.uri.fsPath;
  switch (command) {
    case "waybook.reviewDrift":
      return withDrift((drift) => showAll(hub, shown, path, drift));
    case "waybook.confirmDrift":
      return withDrift((drift) => confirmAll(hub, shown, path, drift));
    case "waybook.instructions.pin":
      return pin(hub, folder);
    case "waybook.instructions.explain":
      return Promise.resolve(vscode.commands.executeCommand("waybook.instructions.focus"));
    default:
      return undefined;
  }
}

async function pin(hub: Hub, given?: vscode.WorkspaceFolder): Promise<void> {
  const folder = given ?? (await hub.chosenFolder());
  if (folder === undefined) return;
  const drift = await driftOf(hub, folder);
  if (drift?.stale === true) {
    const detail = "Pinning now takes everything on the disk as reviewed, without showing it. Confirming shows it first.";
    if (!(await sure(`${folder.name} drifted since revision ${String(drift.revision)}.`, detail, "Pin Anyway"))) return;
  }
  const done = await hub.ask<Pinned>("instructions.pin", { workspace: folder.uri.fsPath });
  const amount = count(done.scopes.length, "directory", "directories");
  const text = done.unchanged ? "is pinned already" : `is pinned: ${amount}, revision ${String(done.revision)}`;
  hub.refresh();
  void vscode.window.showInformationMessage(`Waybook: ${folder.name} ${text}.`);
}

/** Every changed file in one editor, each beside its pinned text. */
async function showAll(hub: Hub, shown: Shown, folder: string, drift: Drift): Promise<void> {
  if (drift.files.length === 0) {
    await vscode.commands.executeCommand("waybook.drift.focus");
    return;
  }
  const resources = drift.files.map((change) => {
    const scope = drift.scopes.find((item) => filesOf(item, drift).includes(change))?.scope ?? "";
    const { pinned, disk } = sides(hub, shown, folder, scope, change);
    const left = change.change === "added" ? undefined : pinned;
    return [fileUri(folder, change.path), left, change.change === "removed" ? undefined : disk];
  });
  await vscode.commands.executeCommand("vscode.changes", `Drift since revision ${String(drift.revision)}`, resources);
}

async function confirmAll(hub: Hub, shown: Shown, folder: string, drift: Drift): Promise<void> {
  if (drift.expected_live_fingerprint === "") {
    const refused = drift.scopes.filter((scope) => scope.state === "refused").map((scope) => scopeName(scope.scope));
    throw new Refusal(
      `The workspace cannot be confirmed as a whole: discovery is refused for ${refused.join(", ")}.`,
      "refused",
      "Mend what is refused, or confirm single directories.",
    );
  }
  await showAll(hub, shown, folder, drift);
  const files = drift.files.map((file) => `${file.change}: ${file.path}`);
  const detail = `${files.join("\n") || "No text changed: the order, ignored files or limits did."}\n\nThe differences are open behind this question.`;
  if (!(await sure(`Confirm these changes as reviewed, since revision ${String(drift.revision)}?`, detail, "Confirm"))) return;
  await confirmed(hub, folder, drift.expected_fingerprint, drift.expected_live_fingerprint, "");
}

async function confirmOne(hub: Hub, folder: string, drift: Drift, scope: ScopeDrift): Promise<void> {
  const files = filesOf(scope, drift).map((file) => `${file.change}: ${file.path}`);
  const detail = `${files.join("\n") || `This directory is ${scope.state}.`}\n\nOther directories stay as they were pinned.`;
  if (!(await sure(`Confirm ${scopeName(scope.scope)} as reviewed?`, detail, "Confirm"))) return;
  await confirmed(hub, folder, scope.fingerprint, scope.live_fingerprint, scope.scope === "" ? "." : scope.scope);
}

/** Exactly the fingerprints that were on the screen: what changed meanwhile is a conflict, not a confirmation. */
async function confirmed(hub: Hub, folder: string, pinned: string, live: string, scope: string): Promise<void> {
  const done = await hub.ask<{ revision: number }>("instructions.confirm", {
    workspace: folder,
    expected_fingerprint: pinned,
    expected_live_fingerprint: live,
    confirm: true,
    ...(scope === "" ? {} : { scope }),
  });
  hub.refresh();
  void vscode.window.showInformationMessage(`Waybook: confirmed as revision ${String(done.revision)}.`);
}

function sides(hub: Hub, shown: Shown, folder: string, scope: string, change: FileChange): Sides {
  const pinned = shown.uri("pinned", change.path, async () => pinnedText(hub, folder, scope, change));
  const disk = change.change === "removed" ? shown.uri("gone", change.path, () => Promise.resolve("")) : fileUri(folder, change.path);
  return { pinned, disk };
}

/** The text as it was pinned: what the disk says now, with the difference undone. */
async function pinnedText(hub: Hub, folder: string, scope: string, change: FileChange): Promise<string> {
  if (change.change === "added") return "";
  if (change.change === "removed") return before("", change.difference);
  const live = await hub.ask<Snapshot>("instructions.inspect", { workspace: folder, target: scope === "" ? "." : scope });
  const source = live.sources.find((item) => item.path === change.path);
  return before(source?.content ?? "", change.difference);
}

function fileUri(folder: string, path: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(folder), path);
}
