// Amounts, times and sentences, said the same way in every view.

/** 2118 -> "2.1k", 749 -> "749". */
export function short(amount: number): string {
  if (amount < 1000) return String(amount);
  const thousands = amount / 1000;
  return `${thousands < 9.95 ? thousands.toFixed(1) : String(Math.round(thousands))}k`;
}

/** Tokens where they were counted, else bytes. */
export function size(bytes: number, tokens: number | null): string {
  return tokens === null ? `${short(bytes)} B` : `${short(tokens)} tok`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${String(amount)} ${amount === 1 ? one : many}`;
}

/** The day of an RFC 3339 time; the hour belongs to a tooltip. */
export function day(time: string): string {
  return time.slice(0, 10);
}

/** A directory of the workspace as people say it; the server calls the root "". */
export function scopeName(scope: string): string {
  return scope === "" || scope === "." ? "workspace root" : `${scope}/`;
}

const SEGMENTER = new Intl.Segmenter();

/** The first line that says something, cut for a list; a visible character is never halved. */
export function firstLine(text: string, most = 80): string {
  const line = text.split("\n").find((part) => part.trim() !== "")?.trim() ?? "";
  if (line.length <= most) return line;
  const letters = Array.from(SEGMENTER.segment(line), (part) => part.segment);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}

/** Text of files and people inside Markdown, where it may not become markup. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, "\\$&").replace(/\r?\n/g, " ");
}

/** A block of text quoted verbatim in Markdown, whatever fences it holds itself. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((found) => found[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
