// Commands about threads and what they keep.

import * as vscode from "vscode";

import type { Pin, Thread } from "../answers";
import { PIN } from "../documents/keepers";
import type { Kept } from "../documents/kept";
import { firstLine } from "../wording";
import type { Hub } from "../hub";
import { threadsOf } from "../load";
import type { Row } from "../rows/row";
import { askText, subjectOf, sure } from "./pick";

export function registerPins(hub: Hub, kept: Kept): void {
  hub.command("waybook.closeThread", async (row) => {
    const isOpen = (item: Row): boolean => item.flags?.includes("open") ?? false;
    const thread = await subjectOf(hub, "sessions", "thread", row, "Which thread?", isOpen);
    if (thread === undefined) return;
    const detail = "It stays readable and takes nothing new: no runs, notes, pins or answers. Open proposals expire.";
    if (!(await sure(`Close the thread “${thread.title}” for good?`, detail, "Close Thread"))) return;
    await hub.ask("threads.close", { thread: thread.id, version: thread.version });
    hub.refresh();
  });
  hub.command("waybook.newThread", () => newThread(hub));
  hub.command("waybook.addPin", async (row) => {
    const thread = await threadOf(hub, row);
    if (thread === undefined) return;
    const editor = vscode.window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection) ?? "";
    const text = selected.includes("\n") ? selected : await askText("New pin", `Kept word for word in “${thread.title}”.`, selected);
    if (text === undefined) return;
    await hub.ask("pins.add", { thread: thread.id, text });
    hub.refresh();
  });
  hub.command("waybook.editPin", async (row) => {
    const pin = await subjectOf(hub, "pins", "pin", row, "Which pin?");
    if (pin !== undefined) await vscode.window.showTextDocument(pinUri(pin), { preview: true });
  });
  hub.command("waybook.removePin", async (row) => {
    const pin = await subjectOf(hub, "pins", "pin", row, "Which pin?");
    if (pin === undefined) return;
    if (!(await sure("Remove this pin?", firstLine(pin.text, 300), "Remove"))) return;
    await hub.ask("pins.remove", { pin: pin.id, version: pin.version });
    kept.gone(pinUri(pin));
    hub.refresh();
  });
  hub.command("waybook.answerProposal", (row) => answer(hub, row));
}

async function answer(hub: Hub, row: Row | undefined): Promise<void> {
  const proposal = await subjectOf(hub, "pins", "proposal", row, "Which proposal?");
  if (proposal === undefined) return;
  const choices = [
    { label: "$(pinned) Keep", detail: "Pin exactly this text.", choice: "keep" },
    { label: "$(close) Only now", detail: "Pin nothing.", choice: "only_now" },
    { label: "$(edit) Reply…", detail: "Answer in your own words, and pin the answer.", choice: "custom" },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: `Proposed by ${proposal.proposed_by}`,
    placeHolder: firstLine(proposal.text, 200),
  });
  if (chosen === undefined) return;
  const params: Record<string, unknown> = { proposal: proposal.id, choice: chosen.choice };
  if (chosen.choice === "custom") {
    const reply = await askText("Your reply", "Pinned word for word.", proposal.text);
    if (reply === undefined) return;
    Object.assign(params, { reply, pin_reply: true });
  }
  await hub.ask("pins.answer", params);
  hub.refresh();
}

async function newThread(hub: Hub): Promise<Thread | undefined> {
  const folder = await hub.chosenFolder();
  if (folder === undefined) return undefined;
  const title = await askText("New thread", "What it is about.");
  if (title === undefined) return undefined;
  const thread = await hub.ask<Thread>("threads.create", { title, workspace: folder.uri.fsPath });
  hub.refresh();
  return thread;
}

/** The thread that something is added to; the only one, or a new one where there is none. */
async function threadOf(hub: Hub, row: Row | undefined): Promise<Thread | undefined> {
  if (row?.subject?.kind === "thread") return row.subject.of;
  const threads = await threadsOf(hub, false);
  if (threads.length === 0) return newThread(hub);
  if (threads.length === 1) return threads[0];
  const items = threads.map((thread) => ({ label: thread.title, thread }));
  return (await vscode.window.showQuickPick(items, { placeHolder: "Which thread?" }))?.thread;
}

function pinUri(pin: Pin): vscode.Uri {
  return vscode.Uri.from({ scheme: PIN, path: `/${pin.thread_id}/${pin.id}.md` });
}
