import assert from "node:assert/strict";
import test from "node:test";

import { Refusal, refusal } from "../../src/refusal";

test("an error of the server keeps its code, path and hint", () => {
  const thrown = Object.assign(new Error("outer"), {
    data: { code: "no-baseline", message: "There is no baseline.", hint: "Pin first.", path: "/ws", limit: null },
  });
  const found = refusal(thrown);
  assert.deepEqual([found.code, found.path, found.sentence], ["no-baseline", "/ws", "There is no baseline. Pin first."]);
});

test("anything else becomes a sentence as well", () => {
  assert.deepEqual([refusal(new Error("boom")).code, refusal("text").message], ["unexpected", "text"]);
  assert.equal(refusal(Object.assign(new Error("m"), { data: { code: 7 } })).code, "unexpected");
  const known = new Refusal("a", "b");
  assert.equal(refusal(known), known);
});
