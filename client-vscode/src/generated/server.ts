// Written by scripts/generate_docs.py: change the server, then run `make docs`.

/** Every command of the server, without its prefix `waybook.`. */
export type CommandId =
  | "instructions.explain"
  | "instructions.check"
  | "instructions.pin"
  | "instructions.drift"
  | "instructions.inspect"
  | "instructions.confirm"
  | "agents.list"
  | "agents.explain"
  | "agents.matrix"
  | "runs.create"
  | "runs.list"
  | "runs.show"
  | "runs.move"
  | "runs.record"
  | "threads.create"
  | "threads.list"
  | "threads.show"
  | "threads.close"
  | "threads.compact"
  | "notes.add"
  | "notes.list"
  | "notes.show"
  | "notes.edit"
  | "notes.archive"
  | "candidates.list"
  | "candidates.show"
  | "candidates.confirm"
  | "candidates.reject"
  | "pins.list"
  | "pins.add"
  | "pins.edit"
  | "pins.remove"
  | "pins.propose"
  | "pins.proposals"
  | "pins.answer"
  | "sessions.scan"
  | "sessions.import"
  | "sessions.list"
  | "sessions.show"
  | "sessions.search"
  | "sessions.export"
  | "workspaces.list"
  | "doctor"
  | "setup.show"
  | "setup.write"
  | "memory.create"
  | "memory.list"
  | "memory.show"
  | "memory.edit"
  | "memory.enable"
  | "memory.disable"
  | "memory.delete"
  | "memory.search"
  | "memory.export"
  | "memory.import"
  | "memory.read_document"
  | "memory.save_document"
  | "history.search"
  | "history.read"
  | "specialist_result.list"
  | "specialist_result.read"
  | "sessions.checkpoint"
  | "sessions.tree"
  | "sessions.fork"
  | "sessions.resume"
  | "sessions.compare"
  | "sessions.handoff"
  | "context.preview"
  | "context.audit"
  | "context.run"
  | "goals.list"
  | "goals.add"
  | "goals.focus"
  | "goals.done"
  | "goals.abandon"
  | "tasks.show"
  | "references.encode"
  | "references.decode"
  | "references.parse"
  | "references.prepare"
  | "references.candidates";

/** Commands that change what is kept or a file; they need a workspace that is trusted. */
export const WRITES: ReadonlySet<string> = new Set([
  "instructions.pin",
  "instructions.confirm",
  "runs.create",
  "runs.move",
  "runs.record",
  "threads.create",
  "threads.close",
  "threads.compact",
  "notes.add",
  "notes.edit",
  "notes.archive",
  "candidates.confirm",
  "candidates.reject",
  "pins.add",
  "pins.edit",
  "pins.remove",
  "pins.propose",
  "pins.answer",
  "sessions.import",
  "setup.write",
  "memory.create",
  "memory.edit",
  "memory.enable",
  "memory.disable",
  "memory.delete",
  "memory.import",
  "memory.save_document",
  "sessions.checkpoint",
  "sessions.fork",
  "sessions.resume",
  "context.run",
  "goals.add",
  "goals.focus",
  "goals.done",
  "goals.abandon",
]);

/** Every setting of the server, without its prefix `waybook.`. */
export const SERVER_SETTINGS: readonly string[] = [
  "drift.against",
  "drift.run",
  "checks.severity",
  "exclude",
  "agents",
  "diagnostics.open_files_only",
  "docs.url",
  "data_dir",
  "cache_dir",
  "store",
  "log.level",
  "tokens.encoding",
  "tokens.download",
  "compaction.summariser",
  "compaction.endpoint",
  "compaction.model",
  "compaction.window",
  "compaction.keep",
  "context.window",
  "context.threshold",
  "context.interval",
  "context.goal_compression",
];
