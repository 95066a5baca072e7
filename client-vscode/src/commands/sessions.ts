// Commands about runs, the points kept of them, what leaves from those points, and the sessions of agents.

import * as vscode from "vscode";

import type { AgentSession, Comparison, Run } from "../answers";
import type { Shown } from "../documents/shown";
import { comparedTexts, runText } from "../documents/texts";
import type { Hub } from "../hub";
import { targetOf } from "../load";
import { about, ofKind, type Row } from "../rows/row";
import { count, firstLine } from "../wording";
import { askText, subjectOf } from "./pick";

/** Where a run may go, as the protocol allows. */
const MOVES = ["running", "waiting_input", "paused", "completed", "failed", "cancelled"];
/** Agents that a prompt can be written for. */
const TAKERS = ["codex", "claude-code"];

/** What a fork, a comparison or a handoff starts from. */
interface Place {
  id: string;
  label: string;
}

export function registerSessions(hub: Hub, shown: Shown): void {
  registerRuns(hub, shown);
  registerNodes(hub, shown);
  hub.command("waybook.importSessions", () =>
    vscode.window.withProgress({ location: { viewId: "waybook.sessions" } }, async () => {
      const done = await hub.ask<{ new_sessions: number; new_messages: number }>("sessions.import");
      hub.refresh();
      const text = `${count(done.new_sessions, "new session")}, ${count(done.new_messages, "new message")}`;
      void vscode.window.showInformationMessage(`Waybook: imported ${text}.`);
    }),
  );
  hub.command("waybook.openSession", async (row) => {
    const session = await subjectOf(hub, "sessions", "session", row, "Which session?");
    if (session !== undefined) await openSession(hub, shown, session);
  });
  hub.command("waybook.searchSessions", () => search(hub, shown));
}

function registerRuns(hub: Hub, shown: Shown): void {
  const which = async (row: Row | undefined, open = false): Promise<Run | undefined> =>
    (await subjectOf(hub, "sessions", "run", row, "Which run?", (item) => !open || (item.flags?.includes("open") ?? false)))?.run;
  hub.command("waybook.newRun", async (row) => {
    const target = targetOf(hub);
    if (target === undefined) return;
    const goal = await askText("New run", `Its goal. It is pinned to the instructions of ${target.name} as they are now.`);
    if (goal === undefined) return;
    const thread = about(row, "thread");
    const params = { goal, target: target.path, workspace: target.folder.uri.fsPath };
    await hub.ask<Run>("runs.create", thread === undefined ? params : { ...params, thread: thread.id });
    hub.refresh();
  });
  hub.command("waybook.moveRun", async (row) => {
    const run = await which(row, true);
    if (run === undefined) return;
    const items = MOVES.filter((state) => state !== run.state).map((state) => ({ label: state.replaceAll("_", " "), state }));
    const placeHolder = `“${firstLine(run.goal, 60)}” is ${run.state.replaceAll("_", " ")}. Move it to…`;
    const chosen = await vscode.window.showQuickPick(items, { placeHolder });
    if (chosen === undefined) return;
    await hub.ask("runs.move", { run: run.id, state: chosen.state });
    hub.refresh();
  });
  hub.command("waybook.openRun", async (row) => {
    const run = await which(row);
    if (run !== undefined) await shown.open("run", `${run.id}.md`, () => Promise.resolve(runText(run)));
  });
}

function registerNodes(hub: Hub, shown: Shown): void {
  hub.command("waybook.checkpoint", async (row) => {
    const place = await placeOf(hub, row, "whole", "Keep where which run or session stands?");
    if (place === undefined) return;
    const title = await askText("New checkpoint (1/2)", `What this point of “${place.label}” is, in one line.`);
    if (title === undefined) return;
    const summary = await vscode.window.showInputBox({
      title: "New checkpoint (2/2)",
      prompt: "What is done and what comes next; may be empty.",
      ignoreFocusOut: true,
    });
    if (summary === undefined) return;
    await hub.ask("sessions.checkpoint", { name: place.id, title, summary });
    hub.refresh();
  });
  hub.command("waybook.fork", (row) => leave(hub, row, "sessions.fork"));
  hub.command("waybook.resume", (row) => leave(hub, row, "sessions.resume"));
  hub.command("waybook.compareNodes", async (row) => {
    const a = await placeOf(hub, row, "point", "Compare which point…");
    if (a === undefined) return;
    const b = await placeOf(hub, undefined, "point", `Compare “${a.label}” with which?`, a.id);
    if (b === undefined) return;
    const found = await hub.ask<Comparison>("sessions.compare", { a: a.id, b: b.id });
    const texts = comparedTexts(found);
    const left = shown.uri("node", `${a.id}.md`, () => Promise.resolve(texts.a));
    const right = shown.uri("node", `${b.id}.md`, () => Promise.resolve(texts.b));
    await vscode.commands.executeCommand("vscode.diff", left, right, `${a.label} ↔ ${b.label}`, { preview: true });
  });
  hub.command("waybook.handOff", async (row) => {
    const from = await placeOf(hub, row, "point", "Hand over which point?");
    if (from === undefined) return;
    const agent = await vscode.window.showQuickPick(TAKERS, { placeHolder: "Who takes it over?" });
    if (agent === undefined) return;
    const make = async (): Promise<string> => (await hub.ask<{ text: string }>("sessions.handoff", { node: from.id, agent })).text;
    await shown.open("handoff", `${from.id}/Prompt for ${agent}.md`, make);
  });
}

/** Begin another run at a point that was kept. */
async function leave(hub: Hub, row: Row | undefined, command: "sessions.fork" | "sessions.resume"): Promise<void> {
  const forks = command === "sessions.fork";
  const from = await placeOf(hub, row, "point", forks ? "Fork from which point?" : "Resume from which point?");
  if (from === undefined) return;
  const params: Record<string, unknown> = { node: from.id };
  if (forks) {
    const goal = await askText("New fork", `What the new run from “${from.label}” is to achieve. It starts without any approval or grant.`);
    if (goal === undefined) return;
    Object.assign(params, { goal, title: firstLine(goal, 60) });
  }
  const done = await hub.ask<{ left_out: unknown[] }>(command, params);
  hub.refresh();
  const left = done.left_out.length === 0 ? "" : `; ${count(done.left_out.length, "thing")} no longer valid left out`;
  void vscode.window.showInformationMessage(`Waybook: ${forks ? "forked" : "resumed"} from “${from.label}”${left}.`);
}

/** The id that the server knows a row by: as a whole (run or session), or as the point that was kept. */
function place(row: Row, as: "whole" | "point"): Place | undefined {
  const { label } = row;
  const run = about(row, "run");
  const id = as === "whole" ? (run?.run.id ?? about(row, "session")?.id) : (run?.node?.id ?? about(row, "node")?.id);
  return id === undefined || (as === "point" && !(row.flags?.includes("stored") ?? false)) ? undefined : { id, label };
}

async function placeOf(
  hub: Hub,
  row: Row | undefined,
  as: "whole" | "point",
  placeHolder: string,
  except = "",
): Promise<Place | undefined> {
  const given = row === undefined ? undefined : place(row, as);
  if (given !== undefined) return given;
  const rows = (await hub.trees.get("sessions")?.rows()) ?? [];
  const all = [...ofKind(rows, "run"), ...ofKind(rows, "node"), ...ofKind(rows, "session")];
  const items = new Map<string, vscode.QuickPickItem & { at: Place }>();
  for (const item of all) {
    const at = place(item.row, as);
    if (at !== undefined && at.id !== except) items.set(at.id, { label: at.label, description: item.row.description ?? "", at });
  }
  if (items.size === 0) {
    void vscode.window.showInformationMessage("Waybook: there is nothing to choose from.");
    return undefined;
  }
  return (await vscode.window.showQuickPick([...items.values()], { placeHolder, matchOnDescription: true }))?.at;
}

async function openSession(hub: Hub, shown: Shown, session: AgentSession): Promise<void> {
  const make = async (): Promise<string> => (await hub.ask<{ text: string }>("sessions.show", { session: session.id, markdown: true })).text;
  await shown.open("session", `${session.id}/${firstLine(session.title || session.id, 60).replaceAll("/", "∕")}.md`, make);
}

async function search(hub: Hub, shown: Shown): Promise<void> {
  const query = await askText("Search sessions", "A text that was said in an imported session.");
  if (query === undefined) return;
  const { found } = await hub.ask<{ found: { session: AgentSession; at: string; excerpt: string }[] }>("sessions.search", { query });
  const items = found.map((item) => ({
    label: firstLine(item.session.title || item.session.id),
    description: `${item.session.agent} · ${item.at.slice(0, 10)}`,
    detail: item.excerpt.replaceAll("\n", " "),
    session: item.session,
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage("Waybook: nothing was found in the imported sessions.");
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: `“${query}”`, matchOnDetail: true });
  if (chosen !== undefined) await openSession(hub, shown, chosen.session);
}
