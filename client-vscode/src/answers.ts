// What the server's commands answer, as far as this client reads it. Names are the server's own.

export interface Ignored {
  path: string;
  reason: string;
}

export interface Explanation {
  workspace: string;
  target: string;
  sources: { path: string; scope: string; bytes: number; why_effective: string }[];
  ignored: Ignored[];
  bytes: number;
}

export interface Snapshot {
  target_path: string;
  fingerprint: string;
  sources: { ordinal: number; path: string; scope: string; content: string; why_effective: string }[];
  ignored: Ignored[];
}

export interface Loaded {
  path: string;
  abs_path: string;
  when: "start" | "lazy" | "listed";
  complete: boolean;
  bytes: number;
  cut_at: number | null;
  imported_by: string | null;
  why: string;
}

export interface NotLoaded {
  path: string;
  abs_path: string;
  reason: string;
  by: string | null;
  why: string;
}

export interface Loading {
  agent: string;
  version: string;
  confidence: string;
  chain: Loaded[];
  not_loaded: NotLoaded[];
  notes: string[];
  bytes: number;
  tokens: number | null;
}

export interface AgentsExplanation {
  workspace: string;
  target: string;
  agents: Loading[];
}

export interface KnownAgent {
  id: string;
  name: string;
  version: string;
  confidence: string;
  in_use: boolean;
  reads: string[];
  reach: string;
}

export interface SnapshotDiff {
  added: string[];
  removed: string[];
  changed: string[];
  order_changed: boolean;
}

export interface ScopeDrift {
  scope: string;
  state: "added" | "removed" | "changed" | "refused";
  fingerprint: string;
  live_fingerprint: string;
  diff: SnapshotDiff | null;
  error: { message: string; path: string | null; hint: string | null } | null;
}

export interface FileChange {
  path: string;
  change: "added" | "removed" | "changed";
  difference: string;
}

export interface Drift {
  workspace: string;
  revision: number;
  pinned_by: string;
  pinned_at: string;
  expected_fingerprint: string;
  expected_live_fingerprint: string;
  stale: boolean;
  scopes: ScopeDrift[];
  files: FileChange[];
}

export interface Pinned {
  revision: number;
  scopes: { scope: string; sources: string[] }[];
  unchanged: boolean;
}

export interface Memory {
  id: string;
  scope: "user" | "project";
  title: string;
  content: string;
  status: "active" | "disabled";
  references: string[];
  retention_until: string;
  redacted: boolean;
  updated_by: string;
  updated_at: string;
  version: number;
  expired: boolean;
}

export interface MemoryPage {
  memories: Memory[];
  next_cursor: string;
}

export interface MemoryHits {
  hits: { memory: Memory; score: number; excerpt: string }[];
  total: number;
}

export interface MemoryDocument {
  uri: string;
  text: string;
  version: number;
  memory: Memory;
}

export interface Thread {
  id: string;
  title: string;
  state: "open" | "closed";
  runs: number;
  pins: number;
  version: number;
  updated_at: string;
}

export interface ThreadShown {
  thread: Thread;
  chain: { sequence: number; run_id: string; state: string; goal: string; created_at: string }[];
}

export interface Pin {
  id: string;
  thread_id: string;
  position: number;
  text: string;
  characters: number;
  origin: string;
  version: number;
  updated_by: string;
  updated_at: string;
}

export interface Pins {
  thread_id: string;
  pins: Pin[];
  characters: number;
  max_pins: number;
  max_characters: number;
}

export interface Proposal {
  id: string;
  thread_id: string;
  run_id: string;
  text: string;
  status: "open" | "answered" | "expired";
  proposed_by: string;
  proposed_at: string;
}

export interface Candidate {
  id: string;
  note_version: number;
  author: string;
  thread_id: string;
  run_id: string;
  basis: { kind: string; confidence: string; recorded_by: string; recorded_at: string };
  fingerprint: string;
  status: "pending" | "confirmed" | "rejected";
  title: string | null;
  content: string | null;
  references: string[] | null;
  version: number;
  source_changed: boolean;
}

export interface Run {
  id: string;
  goal: string;
  profile: string;
  target: string;
  state: string;
  revision: number;
  created_by: string;
  created_at: string;
}

export interface Report {
  version: string;
  python: string;
  platform: string;
  store: Record<string, unknown>;
  packages: Record<string, string>;
  problems: string[];
}

export interface Matrix {
  agents: string[];
  rows: { path: string; agents: Record<string, { state: string; reason: string | null; cut_at: number | null; why: string }> }[];
}

export interface TreeNode {
  id: string;
  kind: string;
  parent_id: string;
  run_id: string;
  session_id: string;
  title: string;
  authoritative: boolean;
  created_at: string;
  created_by: string;
  summary: string;
  status: string;
  messages: number;
  memories: number;
  marks: { kind: string; subject: string; state: string; before: string; now: string }[];
}

export interface SessionTree {
  root: string;
  nodes: TreeNode[];
}

export interface Comparison {
  a: { id: string; kind: string; title: string; summary: string };
  b: { id: string; kind: string; title: string; summary: string };
  same: boolean;
  fields: { name: string; a: string; b: string; same: boolean }[];
  memories_only_a: string[];
  memories_only_b: string[];
  messages_shared: number;
  messages_only_a: string[];
  messages_only_b: string[];
}

export interface AgentSession {
  id: string;
  agent: string;
  title: string;
  started_at: string;
  updated_at: string;
  messages: number;
  branch: string;
  model: string;
  imported: boolean;
}
