import assert from "node:assert/strict";
import test from "node:test";

import { before } from "../../src/patch";
import { Refusal } from "../../src/refusal";

const join = (...lines: string[]): string => lines.join("\n");

test("a changed line is taken back", () => {
  const difference = join("--- pinned/A", "+++ disk/A", "@@ -1,3 +1,3 @@", " one", "-two", "+TWO", " three");
  assert.equal(before("one\nTWO\nthree\n", difference), "one\ntwo\nthree\n");
});

test("several hunks keep what lies between them", () => {
  const live = ["a", "B", "c", "d", "e", "f", "g", "h", "i", "j", "k", "new", "l"];
  const difference = join(
    "--- pinned/A",
    "+++ disk/A",
    "@@ -1,4 +1,4 @@",
    " a",
    "-b",
    "+B",
    " c",
    " d",
    "@@ -9,4 +9,5 @@",
    " i",
    " j",
    " k",
    "+new",
    " l",
  );
  assert.equal(before(`${live.join("\n")}\n`, difference), "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n");
});

test("a removed file comes back whole, an added one was empty", () => {
  assert.equal(before("", join("--- pinned/A", "+++ disk/A", "@@ -1,2 +0,0 @@", "-one", "-two")), "one\ntwo\n");
  assert.equal(before("one\ntwo\n", join("--- pinned/A", "+++ disk/A", "@@ -0,0 +1,2 @@", "+one", "+two")), "");
});

test("lines added at the end of a text are taken away", () => {
  assert.equal(before("a\nb\nc\n", join("--- p", "+++ d", "@@ -1 +1,3 @@", " a", "+b", "+c")), "a\n");
});

test("lines that look like marks of a difference are text", () => {
  const difference = join("--- p", "+++ d", "@@ -1,2 +1,2 @@", "---- old rule", "+++++ new rule", " @@ kept @@");
  assert.equal(before("++++ new rule\n@@ kept @@\n", difference), "--- old rule\n@@ kept @@\n");
});

test("no hunk means that nothing changed", () => {
  assert.equal(before("a\n", ""), "a\n");
});

test("a text that the difference does not belong to is refused", () => {
  const difference = join("--- p", "+++ d", "@@ -1,2 +1,2 @@", " one", "-two", "+TWO");
  for (const live of ["one\nthree\n", "one\n", ""]) {
    assert.throws(() => before(live, difference), (error) => error instanceof Refusal && error.code === "live-changed");
  }
});
