// The text before a change, from the text after it and the difference between both.

import { Refusal } from "./refusal";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Undo a unified difference: the pinned text, given what the disk says now. Both are normalised texts: each line ends
 * with LF. Throws a `Refusal` (code "live-changed") where the difference does not belong to this text.
 */
export function before(after: string, difference: string): string {
  const live = after === "" ? [] : after.replace(/\n$/, "").split("\n");
  const lines = difference.split("\n");
  const result: string[] = [];
  let next = 0; // the first live line that was not copied yet
  let index = lines.findIndex((line) => line.startsWith("@@"));
  if (index < 0) return after;
  while (index < lines.length) {
    const hunk = HUNK.exec(lines[index] ?? "");
    if (!hunk) throw moved();
    let [old, fresh] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
    // An empty side is numbered by the line before it.
    const start = fresh === 0 ? Number(hunk[3]) : Number(hunk[3]) - 1;
    if (start < next || start > live.length) throw moved();
    result.push(...live.slice(next, start));
    next = start;
    index += 1;
    while (old > 0 || fresh > 0) {
      const line = lines[index] ?? "";
      const [mark, text] = [line.charAt(0), line.slice(1)];
      if (mark !== "-") {
        if (live[next] !== text) throw moved();
        next += 1;
        fresh -= 1;
      }
      if (mark !== "+") {
        result.push(text);
        old -= 1;
      }
      if (mark !== "-" && mark !== "+" && mark !== " ") throw moved();
      index += 1;
    }
  }
  result.push(...live.slice(next));
  return result.length === 0 ? "" : `${result.join("\n")}\n`;
}

function moved(): Refusal {
  return new Refusal("The file changed while its difference was being made.", "live-changed", "Open the difference again.");
}
