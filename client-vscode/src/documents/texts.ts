// What read-only documents say, as Markdown. Text of files and people is quoted, never interpreted.

import type { Candidate, Comparison, Matrix, Report, Run, Snapshot } from "../answers";
import { count, escaped, fenced, scopeName } from "../wording";

/** Everything that is delivered for a target, in order: what a model reads. */
export function contextText(snapshot: Snapshot): string {
  const parts = [
    `# Instructions for ${snapshot.target_path === "." ? "the workspace root" : snapshot.target_path}`,
    `${count(snapshot.sources.length, "file")}, read from top to bottom; where two disagree, the later one prevails. Secrets are replaced.`,
  ];
  for (const source of snapshot.sources) {
    const head = `## ${String(source.ordinal)}. ${source.path}`;
    parts.push(head, `_For ${scopeName(source.scope)}: ${escaped(source.why_effective)}._`, fenced(source.content.trimEnd()));
  }
  if (snapshot.ignored.length > 0) {
    const rows = snapshot.ignored.map((item) => `- ${escaped(item.path)}: ${escaped(item.reason)}`);
    parts.push("## Not applied", rows.join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

export function candidateText(candidate: Candidate): string {
  const { basis } = candidate;
  const references = candidate.references ?? [];
  return `${[
    `# ${candidate.title ?? "Reviewed candidate"}`,
    fenced(candidate.content ?? ""),
    `- Written by ${escaped(candidate.author)}, in ${escaped(candidate.run_id || candidate.thread_id)}`,
    `- Rests on: ${escaped(basis.confidence)}`,
    ...(references.length === 0 ? [] : [`- References: ${references.map(escaped).join(", ")}`]),
    ...(candidate.source_changed ? ["- **Its note has changed since, so it cannot be kept as it is.**"] : []),
    "It is in no prompt until you confirm it.",
  ].join("\n\n")}\n`;
}

const CELLS: Record<string, string> = { start: "✓ start", lazy: "✓ touched", listed: "path only", cut: "✂ cut", unread: "·" };

/** Files x agents. */
export function matrixText(matrix: Matrix, names: ReadonlyMap<string, string>): string {
  const heads = matrix.agents.map((agent) => escaped(names.get(agent) ?? agent));
  const rows = matrix.rows.map((row) => {
    const cells = matrix.agents.map((agent) => {
      const cell = row.agents[agent];
      if (cell === undefined) return "";
      return cell.reason === null ? (CELLS[cell.state] ?? cell.state) : `✗ ${escaped(cell.reason.replaceAll("_", " "))}`;
    });
    return `| ${[escaped(row.path), ...cells].join(" | ")} |`;
  });
  return [
    "# Which agents load which instruction files",
    "",
    `| ${["File", ...heads].join(" | ")} |`,
    `| ${["---", ...heads.map(() => "---")].join(" | ")} |`,
    ...rows,
    "",
  ].join("\n");
}

/** Everything one would ask for in a bug report. */
export function reportText(client: Record<string, string>, report: Report | string): string {
  const list = (facts: Record<string, unknown>): string =>
    Object.entries(facts)
      .map(([name, value]) => `- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n");
  const parts = ["# Waybook: versions", list(client)];
  if (typeof report === "string") parts.push("## Server", report);
  else {
    const { version, python, platform } = report;
    parts.push("## Server", list({ version, python, platform }), "## Packages", list(report.packages), "## Store", list(report.store));
    parts.push("## Problems", report.problems.length === 0 ? "None." : report.problems.map((item) => `- ${item}`).join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

export function runText(run: Run): string {
  const pinned = run.revision > 0 ? `revision ${String(run.revision)}` : "no pin";
  const facts = [
    `State: ${run.state.replaceAll("_", " ")}`,
    `Target: ${run.target}`,
    `Profile: ${run.profile}`,
    `Instructions: ${pinned}`,
    `Created: ${run.created_at} by ${run.created_by}`,
  ];
  return [`# Run ${run.id}`, fenced(run.goal), facts.map((fact) => `- ${escaped(fact)}`).join("\n"), ""].join("\n\n");
}

/** Two points as texts that a diff editor lays side by side: what is the same stands on the same line. */
export function comparedTexts(found: Comparison): { a: string; b: string } {
  const side = (which: "a" | "b", memories: string[], messages: string[]): string => {
    const { id, kind, title, summary } = found[which];
    return [
      `# ${title || kind}`,
      `${kind} ${id}`,
      summary,
      ...found.fields.map((field) => `- ${field.name}: ${field[which] || "none"}`),
      `- messages in both: ${String(found.messages_shared)}`,
      "## Only here",
      ...(memories.length + messages.length === 0 ? ["nothing"] : []),
      ...memories.map((item) => `- memory ${item}`),
      ...messages.map((item) => `- message ${item}`),
      "",
    ].join("\n");
  };
  return {
    a: side("a", found.memories_only_a, found.messages_only_a),
    b: side("b", found.memories_only_b, found.messages_only_b),
  };
}
