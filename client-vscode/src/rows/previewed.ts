// Whose context a row means: the next call of a thread or a run, or of an agent that goes on with its session.

import { firstLine } from "../wording";
import { about, type Row } from "./row";

export interface Previewed {
  /** What `context.preview` is asked with. */
  params: Record<string, string>;
  /** The document's path: an id that keeps two apart, then what the tab shows. */
  name: string;
}

/** Undefined where the row is about something else; then the file in front is meant. */
export function previewedBy(row: Row | undefined): Previewed | undefined {
  const run = about(row, "run")?.run;
  if (run !== undefined) return previewed("run", run.id, run.goal);
  const thread = about(row, "thread");
  if (thread !== undefined) return previewed("thread", thread.id, thread.title);
  const session = about(row, "session");
  return session === undefined ? undefined : previewed("session", session.id, session.title);
}

function previewed(kind: "run" | "thread" | "session", id: string, title: string): Previewed {
  return { params: { [kind]: id }, name: `${id}/Preview of ${tabName(title || id)}.md` };
}

/** A title as the last part of a path. */
function tabName(title: string): string {
  return firstLine(title, 60).replace(/[/\\]/g, "∕");
}
