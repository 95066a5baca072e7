import assert from "node:assert/strict";
import test from "node:test";

import { Versions } from "../../src/documents/versions";

const document = (version: number, body = "text"): string => `---\ntitle: T\nversion: ${String(version)}\n---\n\n${body}\n`;

test("a text's time moves when its version does, and only then", () => {
  const versions = new Versions();
  const first = versions.read("a", 1, 10);
  assert.equal(versions.read("a", 1, 10), first);
  assert.ok(versions.read("a", 2, 10) > first);
});

test("after a save of our own the old version line is brought up to date", () => {
  const versions = new Versions();
  versions.read("a", 1, 10);
  versions.saved("a", 2, 10);
  assert.equal(versions.current("a", document(1)), document(2));
  versions.saved("a", 3, 10);
  assert.equal(versions.current("a", document(1)), document(3));
});

test("a version that somebody else replaced stays, so that saving conflicts", () => {
  const versions = new Versions();
  versions.read("a", 1, 10);
  versions.read("a", 2, 10);
  assert.equal(versions.current("a", document(1)), document(1));
});

test("only the front matter's line counts", () => {
  const versions = new Versions();
  versions.read("a", 1, 10);
  versions.saved("a", 2, 10);
  const body = document(2, "version: 1");
  assert.equal(versions.current("a", body), body);
  assert.equal(versions.current("a", "version: 1"), "version: 1");
});

test("an unchanged save keeps the version", () => {
  const versions = new Versions();
  versions.read("a", 4, 10);
  versions.saved("a", 4, 12);
  assert.equal(versions.get("a")?.version, 4);
  assert.equal(versions.current("a", document(4)), document(4));
});

test("news of our own are newer than the save they follow", () => {
  const versions = new Versions();
  versions.read("a", 1, 10);
  versions.saved("a", 2, 10);
  const saved = versions.get("a")?.mtime ?? 0;
  versions.touch("a");
  assert.ok((versions.get("a")?.mtime ?? 0) > saved);
});
