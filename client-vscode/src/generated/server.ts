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
  | "workspaces.list"
  | "doctor"
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
  "memory.create",
  "memory.edit",
  "memory.enable",
  "memory.disable",
  "memory.delete",
  "memory.import",
  "memory.save_document",
]);

/** Every setting of the server, without its prefix `waybook.`. */
export const SERVER_SETTINGS: readonly string[] = [
  "drift.against",
  "drift.run",
  "checks.severity",
  "exclude",
  "agents",
  "diagnostics.open_files_only",
  "data_dir",
  "cache_dir",
  "store",
  "log.level",
  "tokens.encoding",
  "tokens.download",
];
