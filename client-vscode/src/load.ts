// What each view shows, put together from the server's answers.

import * as vscode from "vscode";

import type {
  AgentSession,
  AgentsExplanation,
  Candidate,
  Drift,
  KnownAgent,
  MemoryPage,
  Pins,
  Proposal,
  Run,
  SessionTree,
  Thread,
  ThreadShown,
} from "./answers";
import type { Hub } from "./hub";
import { refusal } from "./refusal";
import { candidateRow } from "./rows/candidates";
import { driftRows } from "./rows/drift";
import { instructionRows } from "./rows/instructions";
import { memoryGroup } from "./rows/memory";
import { note, ofKind, type Row } from "./rows/row";
import { agentSessionsRow, runRow, sessionRow, treeRow } from "./rows/sessions";
import { pinsRow } from "./rows/threads";

/** The target that is explained: the file in front, else the first folder. */
export interface Target {
  folder: vscode.WorkspaceFolder;
  path: string;
  name: string;
}

export function targetOf(hub: Hub): Target | undefined {
  const file = hub.file;
  const folder = file === undefined ? hub.folders[0] : vscode.workspace.getWorkspaceFolder(file);
  if (folder === undefined) return undefined;
  if (file === undefined) return { folder, path: folder.uri.fsPath, name: folder.name };
  return { folder, path: file.fsPath, name: vscode.workspace.asRelativePath(file, false) };
}

/** Undefined for a workspace that was never pinned. */
export async function driftOf(hub: Hub, folder: vscode.WorkspaceFolder): Promise<Drift | undefined> {
  const workspace = folder.uri.fsPath;
  try {
    return await hub.asked.once(`drift ${workspace}`, () => hub.ask<Drift>("instructions.drift", { workspace }));
  } catch (error) {
    if (["no-baseline", "no-workspace"].includes(refusal(error).code)) return undefined;
    throw error;
  }
}

export async function loadInstructions(hub: Hub): Promise<Row[]> {
  const target = targetOf(hub);
  const tree = hub.trees.get("instructions");
  tree?.describe(target?.name ?? "");
  if (!ready(hub) || target === undefined) return [];
  const params = { target: target.path, workspace: target.folder.uri.fsPath };
  const [answer, names] = await Promise.all([
    hub.asked.once(`agents ${target.path}`, () => hub.ask<AgentsExplanation>("agents.explain", params)),
    agentNames(hub, target.folder),
  ]);
  return instructionRows(answer, names);
}

export async function agentNames(hub: Hub, folder: vscode.WorkspaceFolder): Promise<Map<string, string>> {
  const workspace = folder.uri.fsPath;
  const known = await hub.asked.once(`known ${workspace}`, () =>
    hub.ask<{ agents: KnownAgent[] }>("agents.list", { workspace }),
  );
  return new Map(known.agents.map((agent) => [agent.id, agent.name]));
}

export async function loadDrift(hub: Hub): Promise<Row[]> {
  if (!ready(hub)) return [];
  const rows: Row[] = [];
  let drifted = 0;
  let pinned = 0;
  for (const folder of hub.folders) {
    const drift = await driftOf(hub, folder);
    if (drift === undefined) continue;
    pinned += 1;
    drifted += drift.scopes.length;
    rows.push(...driftRows(folder.uri.fsPath, folder.name, drift));
  }
  await vscode.commands.executeCommand("setContext", "waybook.pinned", pinned > 0);
  await vscode.commands.executeCommand("setContext", "waybook.stale", drifted > 0);
  hub.trees.get("drift")?.badge(drifted, `${String(drifted)} drifted`);
  return rows;
}

export async function loadMemory(hub: Hub): Promise<Row[]> {
  if (!ready(hub)) return [];
  const user = await everyMemory(hub, { scope: "user" });
  const groups = [memoryGroup("user", "Yours", "account", user)];
  for (const folder of hub.folders) {
    const found = await orNone(everyMemory(hub, { scope: "project", workspace: folder.uri.fsPath }));
    groups.push(memoryGroup(folder.uri.fsPath, folder.name, "root-folder", found));
  }
  return groups.every((group) => group.children?.length === 0) ? [] : groups;
}

async function everyMemory(hub: Hub, params: Record<string, unknown>): Promise<MemoryPage["memories"]> {
  const found: MemoryPage["memories"] = [];
  let cursor = "";
  do {
    const page = await hub.ask<MemoryPage>("memory.list", { ...params, all: true, limit: 500, cursor });
    found.push(...page.memories);
    cursor = page.next_cursor;
  } while (cursor !== "");
  return found;
}

export async function loadPins(hub: Hub): Promise<Row[]> {
  if (!ready(hub)) return [];
  const rows = await Promise.all(
    (await threadsOf(hub, false)).map(async (thread) => {
      const params = { thread: thread.id };
      const [kept, waiting] = await Promise.all([
        hub.ask<Pins>("pins.list", params),
        hub.ask<{ proposals: Proposal[] }>("pins.proposals", params),
      ]);
      return { row: pinsRow(thread, kept, waiting.proposals), waiting: waiting.proposals.length };
    }),
  );
  const waiting = rows.reduce((sum, item) => sum + item.waiting, 0);
  hub.trees.get("pins")?.badge(waiting, `${String(waiting)} proposals wait for an answer`);
  return rows.map((item) => item.row);
}

export async function loadCandidates(hub: Hub): Promise<Row[]> {
  if (!ready(hub)) return [];
  const rows: Row[] = [];
  let more = 0;
  for (const folder of hub.folders) {
    const params = { workspace: folder.uri.fsPath };
    const none = { candidates: [] as Candidate[], more: 0 };
    const queue = await orElse(hub.ask<typeof none>("candidates.list", params), none);
    rows.push(...queue.candidates.map(candidateRow));
    more += queue.more;
  }
  hub.trees.get("candidates")?.badge(rows.length + more, `${String(rows.length + more)} candidates wait`);
  if (more > 0) rows.push(note("more", `${String(more)} more wait behind these`));
  return rows;
}

/** One part of the Sessions view. */
type Section = (hub: Hub, folder: vscode.WorkspaceFolder) => Promise<Row[]>;

/** Threads with their runs, then the runs that belong to none. Another kind of session is another line here. */
const SECTIONS: readonly Section[] = [threadsAndRuns, agentsSessions];

export async function loadSessions(hub: Hub): Promise<Row[]> {
  if (!ready(hub)) return [];
  const parts = hub.folders.flatMap((folder) => SECTIONS.map((section) => section(hub, folder)));
  return (await Promise.all(parts)).flat();
}

async function threadsAndRuns(hub: Hub, folder: vscode.WorkspaceFolder): Promise<Row[]> {
  const workspace = folder.uri.fsPath;
  const limit = 500;
  const { runs } = await orElse(hub.ask<{ runs: Run[] }>("runs.list", { workspace, limit }), { runs: [] });
  const threads = await threadsIn(hub, folder, true);
  const shown = await Promise.all(threads.map((thread) => hub.ask<ThreadShown>("threads.show", { thread: thread.id })));
  const { tops, byRun } = await trees(hub, runs);
  const chained = new Set(shown.flatMap((item) => item.chain.map((link) => link.run_id)));
  return [
    ...shown.map((item) => sessionRow(item, byRun)),
    ...tops.filter((row) => row.subject?.kind !== "run" || !chained.has(row.subject.of.run.id)),
  ];
}

/** How many runs are asked what left from them; older ones are listed without. */
const MOST_TREES = 50;

/** The rows of all runs: `tops` those that left from no other, newest first; `byRun` each with what hangs on it. */
async function trees(hub: Hub, runs: readonly Run[]): Promise<{ tops: Row[]; byRun: Map<string, Row> }> {
  const known = new Map(runs.map((run) => [run.id, run]));
  const byRun = new Map<string, Row>();
  const tops: Row[] = [];
  let asked = 0;
  for (const run of runs) {
    if (byRun.has(run.id)) continue;
    const tree = asked < MOST_TREES ? await hub.ask<SessionTree>("sessions.tree", { name: run.id }) : undefined;
    asked += 1;
    const top = (tree === undefined ? undefined : treeRow(tree, known)) ?? runRow(run);
    tops.push(top);
    for (const { row, subject } of ofKind([top], "run")) byRun.set(subject.run.id, row);
  }
  return { tops, byRun };
}

const MOST_SESSIONS = 100;
const OWN = "waybook";

async function agentsSessions(hub: Hub, folder: vscode.WorkspaceFolder): Promise<Row[]> {
  const params = { workspace: folder.uri.fsPath, limit: MOST_SESSIONS };
  const [found, names] = await Promise.all([
    hub.ask<{ sessions: AgentSession[]; pending: number }>("sessions.list", params),
    agentNames(hub, folder),
  ]);
  const sessions = found.sessions.filter((session) => session.agent !== OWN); // a run of ours is shown as a run
  const row = agentSessionsRow(`${folder.uri.fsPath}/sessions`, sessions, found.pending, names);
  return row === undefined ? [] : [row];
}

export async function threadsOf(hub: Hub, closed: boolean): Promise<Thread[]> {
  const found = await Promise.all(hub.folders.map((folder) => threadsIn(hub, folder, closed)));
  return found.flat();
}

async function threadsIn(hub: Hub, folder: vscode.WorkspaceFolder, closed: boolean): Promise<Thread[]> {
  const params = { workspace: folder.uri.fsPath, closed, limit: 500 };
  return (await orElse(hub.ask<{ threads: Thread[] }>("threads.list", params), { threads: [] })).threads;
}

function ready(hub: Hub): boolean {
  return hub.session.state === "running";
}

/** A workspace that nothing was ever kept for is not registered: that is an empty list, not an error. */
async function orElse<T>(asked: Promise<T>, empty: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (refusal(error).code === "no-workspace") return empty;
    throw error;
  }
}

function orNone<T>(asked: Promise<T[]>): Promise<T[]> {
  return orElse(asked, []);
}
