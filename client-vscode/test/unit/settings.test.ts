import assert from "node:assert/strict";
import test from "node:test";

import { written, type Inspected } from "../../src/settings";

const from = (values: Record<string, Inspected>) => (name: string) => values[name];

test("defaults are never sent: they would hide the environment and waybook.toml", () => {
  assert.deepEqual(written(() => ({})), {});
});

test("what somebody wrote is sent, the narrower place first", () => {
  const values = { "drift.against": { globalValue: "run", workspaceValue: "baseline" }, agents: { globalValue: ["codex"] } };
  assert.deepEqual(written(from(values)), { "drift.against": "baseline", agents: ["codex"] });
});

test("the editor's own settings are not the server's business", () => {
  assert.deepEqual(written(from({ "server.command": { globalValue: ["x"] }, "trace.server": { globalValue: "off" } })), {});
});

test("a value that is false or empty is a value", () => {
  assert.deepEqual(written(from({ "diagnostics.open_files_only": { globalValue: false } })), { "diagnostics.open_files_only": false });
});
