import assert from "node:assert/strict";
import test from "node:test";

import { comparedTexts, contextText, matrixText, reportText } from "../../src/documents/texts";

test("the context quotes each file verbatim, in order", () => {
  const source = { ordinal: 1, path: "A.md", scope: "", content: "# Rules\n\n```sh\nx\n```\n", why_effective: "in the root" };
  const text = contextText({ target_path: "a.py", fingerprint: "f", sources: [source], ignored: [{ path: "B.md", reason: "matched" }] });
  assert.ok(text.includes("````\n# Rules\n\n```sh\nx\n```\n````"));
  assert.ok(text.includes("- B\\.md: matched"));
});

test("a table of agents and files has a cell for each", () => {
  const cell = (state: string, reason: string | null = null): { state: string; reason: string | null; cut_at: null; why: string } => ({ state, reason, cut_at: null, why: "" });
  const rows = [{ path: "A|B.md", agents: { codex: cell("start"), zed: cell("not_loaded", "wrong_name") } }];
  const text = matrixText({ agents: ["codex", "zed"], rows }, new Map([["codex", "Codex"]]));
  assert.ok(text.includes("| File | Codex | zed |"));
  assert.ok(text.includes("| A\\|B\\.md | ✓ start | ✗ wrong name |"));
});

test("the report has the editor's facts even without a server", () => {
  assert.ok(reportText({ Editor: "x" }, "It is not running.").includes("- Editor: x"));
});

test("two points differ on exactly the lines that differ", () => {
  const point = { id: "n", kind: "checkpoint", title: "T", summary: "s" };
  const field = { name: "mode", a: "plan", b: "", same: false };
  const none = { memories_only_a: [], memories_only_b: [], messages_only_a: [], messages_only_b: [], messages_shared: 1 };
  const { a, b } = comparedTexts({ a: point, b: point, same: false, fields: [field], ...none });
  const differing = a.split("\n").flatMap((line, index) => (line === b.split("\n")[index] ? [] : [line]));
  assert.deepEqual(differing, ["- mode: plan"]);
});
