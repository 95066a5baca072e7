// The words of the status bar, as plain data.

import type { Drift, Explanation } from "../answers";
import { count, escaped, size } from "../wording";

export type Facts =
  | { name: string; chain: Explanation; tokens: number | null; drift: Drift | "unpinned" }
  | { name: string; refused: string };

export interface StatusText {
  text: string;
  tooltip: string;
  spoken: string;
  stale: boolean;
  warn: boolean;
}

export function statusText(facts: Facts): StatusText {
  if ("refused" in facts) {
    return {
      text: "instructions refused",
      tooltip: `**${escaped(facts.name)}**\n\n${escaped(facts.refused)}`,
      spoken: `instructions refused for ${facts.name}`,
      stale: false,
      warn: true,
    };
  }
  const { name, chain, tokens, drift } = facts;
  const number = chain.sources.length;
  const state = drift === "unpinned" ? "not pinned" : drift.stale ? "stale" : "pinned";
  const words = [count(number, "instruction"), size(chain.bytes, tokens), state];
  const files = chain.sources.map((source, index) => `${String(index + 1)}. ${escaped(source.path)}`);
  return {
    text: words.join(" · "),
    tooltip: [`**${escaped(name)}** receives`, files.join("\n") || "nothing", `_${STATES[state]}_`].join("\n\n"),
    spoken: `${words.join(", ")}, for ${name}`,
    stale: state === "stale",
    warn: state === "stale",
  };
}

const STATES = {
  "not pinned": "Not pinned: nobody said yet that these were reviewed.",
  stale: "Something changed since they were pinned. Click to see what.",
  pinned: "As pinned.",
};
