// What package.json promises and what the code does are the same.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

interface Entry {
  command: string;
  when?: string;
}
interface Manifest {
  contributes: {
    commands: (Entry & { enablement?: string })[];
    views: { waybook: { id: string; name: string }[] };
    viewsWelcome: { view: string; contents: string }[];
    menus: Record<string, Entry[]>;
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
  };
}

const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const source = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`src/${name}`, "utf8"))
  .join("\n");
const offered = new Set(contributes.commands.map((item) => item.command));
const registered = new Set(Array.from(source.matchAll(/\.command\(\s*"(waybook\.\w+)"/g), (found) => found[1] ?? ""));
const views = new Set(contributes.views.waybook.map((view) => view.id));

test("every command that is offered is registered, and the other way round", () => {
  assert.deepEqual([...offered].sort(), [...registered].sort());
});

test("menus, rows, welcome texts and the walkthrough name commands that exist", () => {
  const texts = [...contributes.viewsWelcome.map((item) => item.contents), ...contributes.walkthroughs.flatMap((item) => item.steps.map((step) => step.description))];
  const named = [
    ...Object.values(contributes.menus).flatMap((items) => items.map((item) => item.command)),
    ...Array.from(source.matchAll(/click: "(waybook\.\w+)"/g), (found) => found[1] ?? ""),
    ...texts.flatMap((text) => Array.from(text.matchAll(/command:(waybook\.\w+)\)/g), (found) => found[1] ?? "")),
  ];
  assert.deepEqual(named.filter((name) => !offered.has(name)), []);
});

test("every view exists, says what to do when it is empty, and menus name no other", () => {
  for (const view of views) assert.ok(contributes.viewsWelcome.some((item) => item.view === view), view);
  const whens = Object.values(contributes.menus).flatMap((items) => items.map((item) => item.when ?? ""));
  const named = whens.flatMap((when) => Array.from(when.matchAll(/view == (waybook\.\w+)/g), (found) => found[1] ?? ""));
  assert.deepEqual([...named, ...contributes.viewsWelcome.map((item) => item.view)].filter((view) => !views.has(view)), []);
});

test("what the walkthrough shows is there", () => {
  for (const step of contributes.walkthroughs.flatMap((item) => item.steps)) assert.ok(readFileSync(step.media.markdown, "utf8"));
});

test("commands that write need a trusted workspace", () => {
  const writing = ["pinInstructions", "confirmInstructions", "newMemory", "deleteMemory", "addPin", "checkpoint", "fork", "confirmCandidate"];
  for (const name of writing) {
    const item = contributes.commands.find((command) => command.command === `waybook.${name}`);
    assert.match(item?.enablement ?? "", /isWorkspaceTrusted/, name);
  }
});
