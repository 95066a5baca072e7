// One line of a view, as plain data: made here and tested without an editor, turned into a tree item in tree.ts.

import type { AgentSession, Candidate, Drift, FileChange, Memory, Pin, Proposal, Run, ScopeDrift, Thread, TreeNode } from "../answers";

/** What a row is about, by kind; commands on a row take exactly this. */
export interface Subjects {
  instruction: { absolute: string };
  workspaceDrift: { folder: string; drift: Drift };
  scopeDrift: { folder: string; drift: Drift; scope: ScopeDrift };
  fileDrift: { folder: string; scope: string; change: FileChange };
  memory: Memory;
  thread: Thread;
  pin: Pin;
  proposal: Proposal;
  candidate: Candidate;
  /** A run, with the node it begins with where that is known. */
  run: { run: Run; node: TreeNode | undefined };
  /** A checkpoint, or something that is only shown. */
  node: TreeNode;
  session: AgentSession;
}
export type Kind = keyof Subjects;

export interface Row {
  /** Unique in its view and the same at each refresh, so that what is unfolded stays so. */
  id: string;
  label: string;
  description?: string;
  /** Markdown; text of files and people is escaped. */
  tooltip?: string;
  icon: string;
  /** A theme colour's id, so that every theme and high contrast are met. */
  color?: string;
  /** What a screen reader says. */
  spoken?: string;
  /** Extra words for `viewItem` in menus, beside the kind. */
  flags?: string[];
  subject?: { [K in Kind]: { kind: K; of: Subjects[K] } }[Kind];
  /** The command of a click or Enter. */
  click?: string;
  children?: Row[];
  folded?: boolean;
}

/** What the row is about, if it is of this kind. */
export function about<K extends Kind>(row: Row | undefined, kind: K): Subjects[K] | undefined {
  return row?.subject?.kind === kind ? (row.subject.of as Subjects[K]) : undefined;
}

/** Every row of a kind, in order, with its subject. */
export function ofKind<K extends Kind>(rows: readonly Row[], kind: K): { row: Row; subject: Subjects[K] }[] {
  return rows.flatMap((row) => {
    const subject = about(row, kind);
    return [...(subject === undefined ? [] : [{ row, subject }]), ...ofKind(row.children ?? [], kind)];
  });
}

/** The text that menus match: the kind and its flags. */
export function menuWords(row: Row): string {
  return [row.subject?.kind ?? "", ...(row.flags ?? [])].join(" ").trim();
}

/** A row that only says something. */
export function note(id: string, label: string, icon = "info", description = ""): Row {
  return { id, label, icon, ...(description === "" ? {} : { description }), spoken: `${label} ${description}`.trim() };
}
