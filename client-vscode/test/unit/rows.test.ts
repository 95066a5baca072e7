import assert from "node:assert/strict";
import test from "node:test";

import type { AgentSession, Drift, Explanation, Loaded, Loading, Memory, Pins, Run, Thread, TreeNode } from "../../src/answers";
import { driftRows } from "../../src/rows/drift";
import { instructionRows } from "../../src/rows/instructions";
import { memoryGroup } from "../../src/rows/memory";
import { about, menuWords, ofKind, type Row } from "../../src/rows/row";
import { statusText } from "../../src/rows/status";
import { agentSessionsRow, sessionRow, treeRow } from "../../src/rows/sessions";
import { pinsRow } from "../../src/rows/threads";

function loaded(path: string, changes: Partial<Loaded> = {}): Loaded {
  const base = { path, abs_path: `/ws/${path}`, when: "start" as const, complete: true, bytes: 100, cut_at: null, imported_by: null };
  return { ...base, why: "It stands here.", ...changes };
}

function loading(changes: Partial<Loading>): Loading {
  const base = { agent: "codex", version: "1", confidence: "measured", chain: [], not_loaded: [], notes: [], bytes: 0, tokens: null };
  return { ...base, ...changes };
}

function rowsOf(agent: Loading): Row[] {
  const answer = { workspace: "/ws", target: "a", agents: [agent] };
  return instructionRows(answer, new Map([["codex", "Codex"]]))[0]?.children ?? [];
}

test("a chain keeps its order and says how each file arrives", () => {
  const rows = rowsOf(
    loading({
      chain: [
        loaded("A.md"),
        loaded("B.md", { imported_by: "A.md" }),
        loaded("C.md", { when: "lazy" }),
        loaded("D.md", { cut_at: 40, complete: false }),
        loaded("E.md", { when: "listed" }),
      ],
    }),
  );
  assert.deepEqual(
    rows.map((row) => [row.label, row.description, row.icon]),
    [
      ["A.md", "100 B", "check"],
      ["B.md", "100 B · imported", "check"],
      ["C.md", "100 B · when touched", "clock"],
      ["D.md", "100 B · cut at 40 B", "screen-cut"],
      ["E.md", "path only", "list-unordered"],
    ],
  );
  assert.match(rows[3]?.spoken ?? "", /^4 of 5: D\.md, cut after 40 bytes of 100/);
});

test("what is not loaded is folded away, with the reason and who is to blame", () => {
  const left = { path: "X.md", abs_path: "/ws/X.md", reason: "displaced", by: "A.md", why: "A.md displaces it." };
  const group = rowsOf(loading({ not_loaded: [left] })).at(-1);
  assert.equal(group?.folded, true);
  assert.equal(group.children?.[0]?.description, "displaced by A.md");
});

test("an agent that loads nothing says so", () => {
  assert.deepEqual(rowsOf(loading({})).map((row) => row.label), ["Nothing is loaded for this file"]);
});

test("names of files cannot become markup in tooltips", () => {
  const [row] = rowsOf(loading({ chain: [loaded("[x](command:evil).md")] }));
  assert.ok(!row?.tooltip?.includes("](command"));
});

const diff = { added: [], removed: [], changed: ["web/A.md"], order_changed: false };
const base: Drift = {
  workspace: "/ws",
  revision: 3,
  pinned_by: "ann",
  pinned_at: "2026-01-02T03:04:05Z",
  expected_fingerprint: "p",
  expected_live_fingerprint: "l",
  stale: true,
  scopes: [{ scope: "web", state: "changed", fingerprint: "a", live_fingerprint: "b", diff, error: null }],
  files: [{ path: "web/A.md", change: "changed", difference: "" }],
};

test("a drifted workspace lists its directories and in each the changed files", () => {
  const [top] = driftRows("/ws", "shop", base);
  assert.equal(top?.label, "shop drifted");
  assert.equal(menuWords(top), "workspaceDrift confirmable");
  const files = ofKind([top], "fileDrift");
  assert.deepEqual(files.map((item) => [item.row.label, item.subject.scope]), [["web/A.md", "web"]]);
});

test("while a directory is refused, the workspace cannot be confirmed as a whole", () => {
  const error = { message: "A.md is empty.", path: "A.md", hint: "Delete it." };
  const scope = { scope: "", state: "refused" as const, fingerprint: "a", live_fingerprint: "", diff: null, error };
  const [top] = driftRows("/ws", "shop", { ...base, expected_live_fingerprint: "", scopes: [scope], files: [] });
  assert.equal(menuWords(top as Row), "workspaceDrift blocked");
  assert.equal(menuWords(top?.children?.[0] as Row), "scopeDrift blocked");
  assert.equal(top?.children?.[0]?.children?.[0]?.label, "A.md is empty.");
});

test("a directory that lost all its files says so, and one whose order changed", () => {
  const gone = { scope: "web", state: "removed" as const, fingerprint: "a", live_fingerprint: "", diff: null, error: null };
  const order = { ...gone, scope: "api", state: "changed" as const, diff: { ...diff, changed: [], order_changed: true } };
  const [top] = driftRows("/ws", "shop", { ...base, scopes: [gone, order], files: [] });
  const notes = top?.children?.map((row) => row.children?.[0]?.label);
  assert.deepEqual(notes, ["No instruction file is left here", "The order of the files changed"]);
});

test("no drift is one quiet row", () => {
  const rows = driftRows("/ws", "shop", { ...base, stale: false, scopes: [], files: [] });
  assert.deepEqual(rows.map((row) => [row.label, row.description]), [["Nothing drifted", "since revision 3, ann, 2026-01-02"]]);
});

const memory: Memory = {
  id: "mem_1",
  scope: "project",
  title: "Money",
  content: "Cents.\nNever floats.",
  status: "active",
  references: [],
  retention_until: "",
  redacted: false,
  updated_by: "ann",
  updated_at: "2026-01-02T03:04:05Z",
  version: 1,
  expired: false,
};

test("a memory that is off looks and sounds off, and offers the other switch", () => {
  const rows = memoryGroup("g", "Yours", "account", [memory, { ...memory, id: "m2", status: "disabled" }, { ...memory, id: "m3", expired: true }]);
  assert.deepEqual(
    rows.children?.map((row) => [row.description, menuWords(row)]),
    [["Cents.", "memory active"], ["disabled", "memory disabled"], ["expired", "memory active"]],
  );
});

const thread: Thread = { id: "thr_1", title: "Payments", state: "open", runs: 0, pins: 0, version: 1, updated_at: "" };

test("proposals stand before pins, and answered ones are gone", () => {
  const proposal = { id: "p1", thread_id: "thr_1", run_id: "", text: "Keep it.", status: "open" as const, proposed_by: "agent", proposed_at: "" };
  const pin = { id: "pin_1", thread_id: "thr_1", position: 1, text: "Frozen.", characters: 7, origin: "operator", version: 1, updated_by: "ann", updated_at: "" };
  const kept: Pins = { thread_id: "thr_1", pins: [pin], characters: 7, max_pins: 32, max_characters: 32_768 };
  const row = pinsRow(thread, kept, [proposal, { ...proposal, id: "p2", status: "answered" }]);
  assert.deepEqual(row.children?.map((item) => item.subject?.kind), ["proposal", "pin"]);
  assert.equal(row.description, "1 pin · 1 proposed");
});

test("a thread's runs are numbered, also those that are not known", () => {
  const link = { sequence: 1, run_id: "run_1", state: "waiting_input", goal: "Do it", created_at: "" };
  const row = sessionRow({ thread, chain: [link] }, new Map());
  assert.deepEqual(row.children?.map((item) => [item.label, item.description]), [["1. Do it", "waiting input"]]);
});

test("a row gives its subject only under its own kind", () => {
  const [row] = memoryGroup("g", "Yours", "account", [memory]).children ?? [];
  assert.equal(about(row, "memory")?.id, "mem_1");
  assert.equal(about(row, "pin"), undefined);
  assert.equal(about(undefined, "memory"), undefined);
});

const chain: Explanation = {
  workspace: "/ws",
  target: "a.py",
  sources: [{ path: "AGENTS.md", scope: "", bytes: 100, why_effective: "" }],
  ignored: [],
  bytes: 100,
};

test("the status bar says count, size and state, and warns only about drift", () => {
  const facts = { name: "a.py", chain, tokens: 2118 };
  const stale = statusText({ ...facts, drift: base });
  assert.deepEqual([stale.text, stale.warn], ["1 instruction · 2.1k tok · stale", true]);
  assert.equal(statusText({ ...facts, drift: { ...base, stale: false } }).text, "1 instruction · 2.1k tok · pinned");
  const unpinned = statusText({ ...facts, tokens: null, drift: "unpinned" });
  assert.deepEqual([unpinned.text, unpinned.warn], ["1 instruction · 100 B · not pinned", false]);
});

test("a refused chain is said, not counted", () => {
  assert.deepEqual(statusText({ name: "a", refused: "Empty." }).text, "instructions refused");
});

const run: Run = { id: "run_1", goal: "Do it", profile: "default", target: "a.py", state: "running", revision: 1, created_by: "ann", created_at: "2026-01-02" };

function node(id: string, kind: string, parent: string, runId: string): TreeNode {
  const texts = { title: id, created_at: "2026-01-02", created_by: "ann", summary: "", status: "", session_id: "" };
  return { id, kind, parent_id: parent, run_id: runId, authoritative: true, messages: 0, memories: 0, marks: [], ...texts };
}

test("what left from a checkpoint hangs below it, and a run's node carries the run", () => {
  const tree = { root: "n1", nodes: [node("n1", "root", "", "run_1"), node("n2", "checkpoint", "n1", "run_1"), node("n3", "fork", "n2", "run_2")] };
  const top = treeRow(tree, new Map([["run_1", run], ["run_2", { ...run, id: "run_2", state: "completed" }]]));
  assert.equal(menuWords(top as Row), "run open stored");
  const [checkpoint] = top?.children ?? [];
  assert.equal(menuWords(checkpoint as Row), "node checkpoint stored");
  assert.deepEqual(checkpoint?.children?.map((row) => [menuWords(row), row.description]), [["run final stored", "fork · completed · a.py"]]);
});

test("a checkpoint whose world has moved on says so", () => {
  const mark = { kind: "memory", subject: "mem_1", state: "deleted", before: "1", now: "" };
  const tree = { root: "n1", nodes: [{ ...node("n1", "checkpoint", "", "run_1"), marks: [mark] }] };
  assert.equal(treeRow(tree, new Map())?.description, "checkpoint · 1 thing changed since");
});

test("a run that is shown under its thread as well has ids of its own there", () => {
  const row = treeRow({ root: "n1", nodes: [node("n1", "root", "", "run_1"), node("n2", "checkpoint", "n1", "run_1")] }, new Map([["run_1", run]])) as Row;
  const link = { sequence: 1, run_id: "run_1", state: "running", goal: "Do it", created_at: "" };
  const under = sessionRow({ thread, chain: [link] }, new Map([["run_1", row]])).children?.[0];
  assert.deepEqual([under?.id, under?.children?.[0]?.id], ["thr_1/run_1", "thr_1/n2"]);
});

test("transcripts that wait stand first among the agents' sessions; without either there is no row", () => {
  const session: AgentSession = { id: "ses_1", agent: "codex", title: "T", started_at: "2026-01-02", updated_at: "2026-01-02", messages: -1, branch: "", model: "", imported: true };
  const row = agentSessionsRow("x", [session], 2, new Map([["codex", "Codex"]]));
  assert.deepEqual(row?.children?.map((item) => [item.label, item.description]), [["2 transcripts to import", undefined], ["T", "Codex · 2026-01-02"]]);
  assert.equal(agentSessionsRow("x", [], 0, new Map()), undefined);
});
