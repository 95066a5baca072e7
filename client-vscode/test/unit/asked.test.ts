import assert from "node:assert/strict";
import test from "node:test";

import { Asked } from "../../src/asked";

test("a question is put once until everything is forgotten", async () => {
  const asked = new Asked();
  let calls = 0;
  const ask = (): Promise<number> => Promise.resolve((calls += 1));
  assert.deepEqual(await Promise.all([asked.once("a", ask), asked.once("a", ask)]), [1, 1]);
  asked.forget();
  assert.equal(await asked.once("a", ask), 2);
});

test("a failure is not remembered", async () => {
  const asked = new Asked();
  await assert.rejects(asked.once("a", () => Promise.reject(new Error("no"))));
  assert.equal(await asked.once("a", () => Promise.resolve("yes")), "yes");
});
