// Runs, the points that were kept of them, what left from those points, and the sessions of agents.

import type { AgentSession, Run, SessionTree, ThreadShown, TreeNode } from "../answers";
import { count, day, escaped, firstLine, scopeName } from "../wording";
import type { Row } from "./row";
import { note } from "./row";
import { threadRow } from "./threads";

const RUN_ICONS: Record<string, { icon: string; color?: string }> = {
  created: { icon: "circle-outline" },
  running: { icon: "play-circle", color: "charts.blue" },
  waiting_input: { icon: "comment-unresolved", color: "charts.yellow" },
  paused: { icon: "debug-pause" },
  completed: { icon: "pass", color: "charts.green" },
  failed: { icon: "error", color: "list.errorForeground" },
  cancelled: { icon: "circle-slash", color: "disabledForeground" },
};

const NODE_ICONS: Record<string, string> = {
  checkpoint: "bookmark",
  compaction: "fold",
  note: "note",
  delivery: "package",
  session: "hubot",
};

/** A thread with its runs, oldest first. `rows` holds the row of each run with what hangs on it. */
export function sessionRow(shown: ThreadShown, rows: ReadonlyMap<string, Row>): Row {
  const { thread, chain } = shown;
  const children = chain.map((link): Row => {
    const label = `${String(link.sequence)}. ${firstLine(link.goal)}`;
    const row = rows.get(link.run_id);
    if (row !== undefined) return under(thread.id, { ...row, label });
    return { id: `${thread.id}/${link.run_id}`, label, description: said(link.state), ...iconOf(link.state) };
  });
  if (children.length === 0) children.push(note(`${thread.id}/none`, "No run in this thread yet"));
  const amount = count(chain.length, "run");
  return {
    ...threadRow(thread),
    description: thread.state === "closed" ? `${amount} · closed` : amount,
    spoken: `Thread ${thread.title}, ${thread.state}: ${amount}`,
    children,
  };
}

/** The same row a second time in one view needs ids of its own. */
function under(prefix: string, row: Row): Row {
  const children = row.children?.map((child) => under(prefix, child));
  return { ...row, id: `${prefix}/${row.id}`, ...(children === undefined ? {} : { children }) };
}

/** A tree's nodes, each below the one it left from. */
export function treeRow(tree: SessionTree, runs: ReadonlyMap<string, Run>): Row | undefined {
  const rows = new Map<string, Row>();
  let top: Row | undefined;
  for (const node of tree.nodes) {
    const row = nodeRow(node, runs.get(node.run_id));
    rows.set(node.id, row);
    const parent = rows.get(node.parent_id);
    if (parent === undefined) top ??= row;
    else (parent.children ??= []).push(row);
  }
  return top;
}

function nodeRow(node: TreeNode, run: Run | undefined): Row {
  const begins = ["root", "fork", "resume"].includes(node.kind);
  if (begins && run !== undefined) {
    const row = runRow(run, node);
    const left = node.kind === "root" ? "" : `${node.kind} · `;
    const label = firstLine(node.title === "" ? run.goal : node.title);
    return { ...row, label, description: `${left}${row.description ?? ""}`, spoken: `${node.kind === "root" ? "Run" : `Run (${node.kind})`} ${label}, ${said(run.state)}, for ${run.target}` };
  }
  const marks = node.marks.length;
  const title = node.title === "" ? node.kind : firstLine(node.title);
  return {
    id: node.id,
    label: title,
    description: marks === 0 ? `${node.kind} · ${day(node.created_at)}` : `${node.kind} · ${count(marks, "thing")} changed since`,
    icon: NODE_ICONS[node.kind] ?? "circle-outline",
    ...(marks === 0 ? {} : { color: "list.warningForeground" }),
    tooltip: [
      `**${escaped(title)}** — ${node.kind}, ${escaped(node.created_by)}, ${day(node.created_at)}`,
      escaped(firstLine(node.summary, 300)),
      `${count(node.messages, "message")}, ${count(node.memories, "memory", "memories")}`,
      ...node.marks.map((mark) => `${escaped(mark.kind)} ${escaped(mark.subject)}: ${escaped(mark.state)}`),
    ].join("\n\n"),
    spoken: `${node.kind} ${title}, ${day(node.created_at)}`,
    flags: [node.kind, node.authoritative ? "stored" : "shown"],
    subject: { kind: "node", of: node },
  };
}

export function runRow(run: Run, node?: TreeNode): Row {
  const final = ["completed", "failed", "cancelled"].includes(run.state);
  const pinned = run.revision > 0 ? `, pinned at revision ${String(run.revision)}` : "";
  return {
    id: run.id,
    label: firstLine(run.goal),
    description: `${said(run.state)} · ${scopeName(run.target).replace(/\/$/, "")}`,
    ...iconOf(run.state),
    tooltip: `**${escaped(run.goal)}**\n\n${said(run.state)}, for ${escaped(run.target)}${pinned}\n\n${escaped(run.created_by)}, ${day(run.created_at)}`,
    spoken: `Run ${firstLine(run.goal)}, ${said(run.state)}, for ${run.target}`,
    flags: [final ? "final" : "open", ...(node?.authoritative === true ? ["stored"] : [])],
    subject: { kind: "run", of: { run, node } },
    click: "waybook.openRun",
  };
}

function said(state: string): string {
  return state.replaceAll("_", " ");
}

function iconOf(state: string): { icon: string; color?: string } {
  return RUN_ICONS[state] ?? { icon: "circle-outline" };
}

/** The agents' own sessions in this workspace; `pending` transcripts have something new. */
export function agentSessionsRow(id: string, sessions: readonly AgentSession[], pending: number, names: ReadonlyMap<string, string>): Row | undefined {
  if (sessions.length === 0 && pending === 0) return undefined;
  const children = sessions.map((session) => agentSessionRow(session, names.get(session.agent) ?? session.agent));
  if (pending > 0) {
    const label = `${count(pending, "transcript")} to import`;
    children.unshift({ id: `${id}/pending`, label, icon: "cloud-download", spoken: label, click: "waybook.importSessions" });
  }
  return {
    id,
    label: "Agents' sessions",
    description: String(sessions.length),
    icon: "history",
    folded: true,
    spoken: `${count(sessions.length, "session")} of agents, ${String(pending)} to import`,
    children,
  };
}

function agentSessionRow(session: AgentSession, agent: string): Row {
  const title = session.title === "" ? session.id : firstLine(session.title);
  const amount = session.messages < 0 ? "" : ` · ${count(session.messages, "message")}`;
  return {
    id: session.id,
    label: title,
    description: `${agent}${amount} · ${day(session.updated_at)}`,
    icon: "comment",
    tooltip: `**${escaped(title)}** — ${escaped(agent)} ${escaped(session.model)}\n\n${escaped(session.branch)} ${day(session.started_at)}`,
    spoken: `${agent} session ${title}, ${day(session.updated_at)}`,
    flags: [session.imported ? "imported" : "outside"],
    subject: { kind: "session", of: session },
    click: "waybook.openSession",
  };
}
