// Memories: yours, and those of each workspace folder.

import type { Memory } from "../answers";
import { count, day, escaped, firstLine } from "../wording";
import type { Row } from "./row";

export function memoryGroup(id: string, label: string, icon: string, memories: readonly Memory[]): Row {
  return {
    id,
    label,
    description: String(memories.length),
    icon,
    spoken: `${label}: ${count(memories.length, "memory", "memories")}`,
    children: memories.map((memory) => memoryRow(memory)),
  };
}

export function memoryRow(memory: Memory): Row {
  const state = memory.status === "disabled" ? "disabled" : memory.expired ? "expired" : "active";
  const quiet = state !== "active";
  return {
    id: memory.id,
    label: memory.title,
    description: quiet ? state : firstLine(memory.content, 60),
    icon: quiet ? "circle-slash" : "lightbulb",
    ...(quiet ? { color: "disabledForeground" } : {}),
    tooltip: [
      `**${escaped(memory.title)}** — ${memory.scope} memory, ${state}`,
      escaped(firstLine(memory.content, 300)),
      `Version ${String(memory.version)}, ${escaped(memory.updated_by)}, ${day(memory.updated_at)}` +
        (memory.retention_until === "" ? "" : `, kept until ${day(memory.retention_until)}`),
    ].join("\n\n"),
    spoken: `${memory.title}, ${memory.scope} memory, ${state}`,
    flags: [memory.status],
    subject: { kind: "memory", of: memory },
    click: "waybook.openMemory",
  };
}
