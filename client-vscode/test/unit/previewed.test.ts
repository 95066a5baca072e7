import assert from "node:assert/strict";
import test from "node:test";

import type { AgentSession, Run, Thread } from "../../src/answers";
import { previewedBy } from "../../src/rows/previewed";
import type { Row } from "../../src/rows/row";

function row(subject: Row["subject"]): Row {
  return { id: "r", label: "r", icon: "info", ...(subject === undefined ? {} : { subject }) };
}

test("a run, a thread and a session are asked for by their own id alone", () => {
  const run = { id: "run_1", goal: "Review a/b\nand more" } as Run;
  const thread = { id: "thr_1", title: "Payments" } as Thread;
  const session = { id: "s-1", title: "" } as AgentSession;
  const found = [
    previewedBy(row({ kind: "run", of: { run, node: undefined } })),
    previewedBy(row({ kind: "thread", of: thread })),
    previewedBy(row({ kind: "session", of: session })),
  ];
  assert.deepEqual(found.map((item) => item?.params), [{ run: "run_1" }, { thread: "thr_1" }, { session: "s-1" }]);
  assert.deepEqual(found.map((item) => item?.name), [
    "run_1/Preview of Review a∕b.md",
    "thr_1/Preview of Payments.md",
    "s-1/Preview of s-1.md",
  ]);
});

test("every other row, and none, means the file in front", () => {
  assert.equal(previewedBy(undefined), undefined);
  assert.equal(previewedBy(row(undefined)), undefined);
  assert.equal(previewedBy(row({ kind: "instruction", of: { absolute: "/ws/A.md" } })), undefined);
});
