import assert from "node:assert/strict";
import test from "node:test";

import { findServer, type Surroundings } from "../../src/find";

function around(changes: Partial<Surroundings>, ...files: string[]): Surroundings {
  return {
    setting: [],
    folders: ["/ws"],
    trusted: true,
    path: "/usr/bin:/opt/bin",
    windows: false,
    isExecutable: (file) => Promise.resolve(files.includes(file)),
    ...changes,
  };
}

test("the setting comes first, with its arguments", async () => {
  const found = await findServer(around({ setting: ["python3", "-m", "waybook"] }, "/ws/.venv/bin/waybook"));
  assert.deepEqual(found, { command: "python3", args: ["-m", "waybook", "lsp"], source: "setting" });
});

test("then the workspace's own environment, of any of its folders", async () => {
  const found = await findServer(around({ folders: ["/a", "/b"] }, "/b/.venv/bin/waybook", "/usr/bin/waybook"));
  assert.deepEqual(found, { command: "/b/.venv/bin/waybook", args: ["lsp"], source: "workspace environment" });
});

test("then PATH, then uvx", async () => {
  assert.equal((await findServer(around({}, "/opt/bin/waybook", "/usr/bin/uvx")))?.command, "/opt/bin/waybook");
  const uvx = await findServer(around({}, "/usr/bin/uvx"));
  assert.deepEqual(uvx, { command: "/usr/bin/uvx", args: ["waybook", "lsp"], source: "uvx" });
  assert.equal(await findServer(around({})), undefined);
});

test("a workspace that is not trusted brings no program, not by PATH either", async () => {
  const files = ["/ws/.venv/bin/waybook", "/ws/bin/waybook", "/ws/bin/uvx"];
  assert.equal(await findServer(around({ trusted: false, path: "/ws/bin:/usr/bin" }, ...files)), undefined);
});

test("entries of PATH that depend on the current directory are passed over", async () => {
  assert.equal(await findServer(around({ path: ".:bin::" }, "./waybook", "bin/waybook", "/waybook")), undefined);
});

test("Windows has its own names and separators", async () => {
  const windows = { windows: true, folders: ["C:\\ws"], path: "C:\\tools\\;relative" };
  assert.equal((await findServer(around(windows, "C:\\ws\\.venv\\Scripts\\waybook.exe")))?.source, "workspace environment");
  assert.equal((await findServer(around(windows, "C:\\tools\\waybook.exe")))?.command, "C:\\tools\\waybook.exe");
});
