import assert from "node:assert/strict";
import test from "node:test";

import { count, escaped, fenced, firstLine, scopeName, short, size } from "../../src/wording";

test("amounts are short and never wrong by a digit", () => {
  const cases: [number, string][] = [[0, "0"], [999, "999"], [1000, "1.0k"], [2118, "2.1k"], [9949, "9.9k"], [9950, "10k"], [65_536, "66k"]];
  for (const [amount, text] of cases) assert.equal(short(amount), text);
});

test("tokens are said where they were counted, else bytes", () => {
  assert.equal(size(749, 202), "202 tok");
  assert.equal(size(2000, null), "2.0k B");
});

test("one is singular", () => {
  assert.deepEqual([count(1, "file"), count(0, "file"), count(2, "directory", "directories")], ["1 file", "0 files", "2 directories"]);
});

test("text of files cannot become markup", () => {
  assert.equal(escaped("[x](command:y) `z` $(pin)\n# h"), "\\[x\\]\\(command:y\\) \\`z\\` \\$\\(pin\\) \\# h");
});

test("quoted text keeps its own fences inside", () => {
  const block = fenced("a\n````\nb\n````");
  assert.ok(block.startsWith("`````\n") && block.endsWith("\n`````"));
});

test("the first line that says something is cut between visible characters", () => {
  assert.equal(firstLine("\n\n  hello \nworld"), "hello");
  assert.equal(firstLine("👩‍👩‍👧".repeat(4), 3), "👩‍👩‍👧👩‍👩‍👧…");
  assert.equal(firstLine(""), "");
});

test("the root has a name", () => {
  assert.deepEqual([scopeName(""), scopeName("."), scopeName("web")], ["workspace root", "workspace root", "web/"]);
});
