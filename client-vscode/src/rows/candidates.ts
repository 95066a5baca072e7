// What finished work concluded, waiting for a person to keep it as memory or to drop it.

import type { Candidate } from "../answers";
import { escaped, firstLine } from "../wording";
import type { Row } from "./row";

const BASES: Record<string, string> = {
  delivery_report_passed: "delivery report passed",
  delivery_checkpoint: "delivery checkpoint",
  run_completed: "run completed",
  thread_reply: "a reply ended",
};

export function candidateRow(candidate: Candidate): Row {
  const title = candidate.title ?? candidate.id;
  const basis = BASES[candidate.basis.kind] ?? candidate.basis.kind;
  return {
    id: candidate.id,
    label: title,
    description: candidate.source_changed ? "its note has changed" : basis,
    icon: candidate.source_changed ? "warning" : "inbox",
    ...(candidate.source_changed ? { color: "list.warningForeground" } : {}),
    tooltip: [
      `**${escaped(title)}** — ${escaped(basis)}`,
      escaped(firstLine(candidate.content ?? "", 300)),
      escaped(candidate.basis.confidence),
    ].join("\n\n"),
    spoken: `Candidate ${title}, written by ${candidate.author}, ${basis}`,
    flags: [candidate.source_changed ? "moved" : "fresh"],
    subject: { kind: "candidate", of: candidate },
    click: "waybook.openCandidate",
  };
}
