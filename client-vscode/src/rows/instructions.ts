// What each agent loads for the file in front: its chain in order, then what it leaves out and why.

import type { AgentsExplanation, Loaded, Loading, NotLoaded } from "../answers";
import { count, escaped, short, size } from "../wording";
import type { Row } from "./row";

const REASONS: Record<string, { words: string; icon: string }> = {
  shadowed: { words: "shadowed", icon: "layers" },
  displaced: { words: "displaced", icon: "layers" },
  over_budget: { words: "over budget", icon: "screen-cut" },
  conditional: { words: "does not match", icon: "filter" },
  wrong_name: { words: "not read by this agent", icon: "circle-slash" },
  outside: { words: "out of reach", icon: "circle-slash" },
  empty: { words: "empty", icon: "dash" },
  excluded: { words: "excluded", icon: "exclude" },
  link: { words: "link not followed", icon: "link" },
};

export function instructionRows(answer: AgentsExplanation, names: ReadonlyMap<string, string>): Row[] {
  return answer.agents.map((agent) => agentRow(agent, names.get(agent.agent) ?? agent.agent));
}

function agentRow(agent: Loading, name: string): Row {
  const files = count(agent.chain.length, "file");
  const amount = size(agent.bytes, agent.tokens);
  const left = agent.not_loaded.length;
  const children = agent.chain.map((item, index) => loadedRow(agent, item, index));
  if (agent.chain.length === 0) {
    children.push({ id: `${agent.agent}/none`, label: "Nothing is loaded for this file", icon: "info" });
  }
  if (left > 0) {
    children.push({
      id: `${agent.agent}/left`,
      label: "Not loaded",
      description: String(left),
      icon: "eye-closed",
      folded: true,
      spoken: `${count(left, "file")} not loaded by ${name}`,
      children: agent.not_loaded.map((item) => leftRow(agent, item)),
    });
  }
  return {
    id: agent.agent,
    label: name,
    description: `${files} · ${amount}`,
    icon: "hubot",
    tooltip: agentTooltip(agent, name),
    spoken: `${name}: ${files}, ${amount}, ${String(left)} not loaded`,
    children,
  };
}

function agentTooltip(agent: Loading, name: string): string {
  const sure = agent.confidence === "measured" ? "measured on" : `${agent.confidence}:`;
  return [
    `**${escaped(name)}** — ${sure} ${escaped(agent.version)}`,
    `${count(agent.bytes, "byte")}${agent.tokens === null ? "" : `, ${count(agent.tokens, "token")}`}`,
    ...agent.notes.map(escaped),
  ].join("\n\n");
}

function loadedRow(agent: Loading, item: Loaded, index: number): Row {
  const state = loadedState(item);
  const parts = [item.when === "listed" ? "" : `${short(item.bytes)} B`, state.words].filter((part) => part !== "");
  const place = `${String(index + 1)} of ${String(agent.chain.length)}`;
  return {
    id: `${agent.agent}/${item.abs_path}`,
    label: item.path,
    description: parts.join(" · "),
    icon: state.icon,
    color: state.color,
    tooltip: [
      `**${escaped(item.path)}** — ${place}, ${state.sentence}`,
      escaped(item.why),
      ...(item.imported_by === null ? [] : [`Imported by ${escaped(item.imported_by)}.`]),
    ].join("\n\n"),
    spoken: `${place}: ${item.path}, ${state.sentence}, ${count(item.bytes, "byte")}`,
    subject: { kind: "instruction", of: { absolute: item.abs_path } },
    click: "waybook.openInstruction",
  };
}

function loadedState(item: Loaded): { words: string; sentence: string; icon: string; color: string } {
  if (item.cut_at !== null || !item.complete) {
    const at = item.cut_at ?? item.bytes;
    return {
      words: `cut at ${short(at)} B`,
      sentence: `cut after ${count(at, "byte")} of ${String(item.bytes)}`,
      icon: "screen-cut",
      color: "list.warningForeground",
    };
  }
  if (item.when === "lazy") {
    return {
      words: "when touched",
      sentence: "loaded when the agent touches this file",
      icon: "clock",
      color: "charts.blue",
    };
  }
  if (item.when === "listed") {
    return {
      words: "path only",
      sentence: "only its path is told to the model",
      icon: "list-unordered",
      color: "charts.blue",
    };
  }
  return { words: item.imported_by === null ? "" : "imported", sentence: "loaded at the start", icon: "check", color: "charts.green" };
}

function leftRow(agent: Loading, item: NotLoaded): Row {
  const reason = REASONS[item.reason] ?? { words: item.reason, icon: "circle-slash" };
  const serious = item.reason === "over_budget";
  return {
    id: `${agent.agent}/left/${item.abs_path}`,
    label: item.path,
    description: item.by === null ? reason.words : `${reason.words} by ${item.by}`,
    icon: reason.icon,
    color: serious ? "list.warningForeground" : "disabledForeground",
    tooltip: `**${escaped(item.path)}** — ${reason.words}\n\n${escaped(item.why)}`,
    spoken: `${item.path}, not loaded: ${item.why}`,
    subject: { kind: "instruction", of: { absolute: item.abs_path } },
    click: "waybook.openInstruction",
  };
}
