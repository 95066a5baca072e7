// Threads in two views: with what they keep (Pins), and with their runs (Sessions).

import type { Pins, Proposal, Run, Thread, ThreadShown } from "../answers";
import { count, day, escaped, firstLine, scopeName } from "../wording";
import type { Row } from "./row";
import { note } from "./row";

const RUN_ICONS: Record<string, { icon: string; color?: string }> = {
  created: { icon: "circle-outline" },
  running: { icon: "play-circle", color: "charts.blue" },
  waiting_input: { icon: "comment-unresolved", color: "charts.yellow" },
  paused: { icon: "debug-pause" },
  completed: { icon: "pass", color: "charts.green" },
  failed: { icon: "error", color: "list.errorForeground" },
  cancelled: { icon: "circle-slash", color: "disabledForeground" },
};

/** A thread with its pins and the proposals that wait. */
export function pinsRow(thread: Thread, kept: Pins, proposals: readonly Proposal[]): Row {
  const waiting = proposals.filter((item) => item.status === "open");
  const children = [...waiting.map(proposalRow), ...kept.pins.map((pin) => pinRow(pin, kept))];
  if (children.length === 0) children.push(note(`${thread.id}/none`, "Nothing is pinned in this thread"));
  const amount = count(kept.pins.length, "pin");
  return {
    ...threadRow(thread),
    description: waiting.length === 0 ? amount : `${amount} · ${String(waiting.length)} proposed`,
    tooltip: `**${escaped(thread.title)}**\n\n${amount} of ${String(kept.max_pins)}, ${String(kept.characters)} of ${String(kept.max_characters)} characters`,
    spoken: `Thread ${thread.title}: ${amount}, ${String(waiting.length)} proposed`,
    children,
  };
}

function pinRow(pin: Pins["pins"][number], kept: Pins): Row {
  return {
    id: pin.id,
    label: firstLine(pin.text),
    description: `${String(pin.characters)} characters`,
    icon: "pinned",
    tooltip: `${escaped(pin.text)}\n\nVersion ${String(pin.version)}, ${escaped(pin.updated_by)}, ${day(pin.updated_at)}`,
    spoken: `Pin ${String(pin.position)} of ${String(kept.pins.length)}: ${firstLine(pin.text)}`,
    subject: { kind: "pin", of: pin },
    click: "waybook.editPin",
  };
}

function proposalRow(proposal: Proposal): Row {
  return {
    id: proposal.id,
    label: firstLine(proposal.text),
    description: `proposed by ${proposal.proposed_by}`,
    icon: "comment-unresolved",
    color: "charts.yellow",
    tooltip: `${escaped(proposal.text)}\n\nProposed by ${escaped(proposal.proposed_by)}, ${day(proposal.proposed_at)}. It is no pin until you keep it.`,
    spoken: `Proposal by ${proposal.proposed_by}: ${firstLine(proposal.text)}`,
    subject: { kind: "proposal", of: proposal },
    click: "waybook.answerProposal",
  };
}

/** A thread with its runs, oldest first. `runs` holds the workspace's runs by id, where they are known. */
export function sessionRow(shown: ThreadShown, runs: ReadonlyMap<string, Run>): Row {
  const { thread, chain } = shown;
  const children = chain.map((link): Row => {
    const run = runs.get(link.run_id);
    const label = `${String(link.sequence)}. ${firstLine(link.goal)}`;
    if (run !== undefined) return { ...runRow(run), label };
    return { id: link.run_id, label, description: said(link.state), ...iconOf(link.state) };
  });
  if (children.length === 0) children.push(note(`${thread.id}/none`, "No run in this thread yet"));
  const amount = count(chain.length, "run");
  return {
    ...threadRow(thread),
    description: thread.state === "closed" ? `${amount} · closed` : amount,
    spoken: `Thread ${thread.title}, ${thread.state}: ${amount}`,
    children,
  };
}

function threadRow(thread: Thread): Row {
  return {
    id: thread.id,
    label: thread.title,
    icon: "comment-discussion",
    flags: [thread.state],
    subject: { kind: "thread", of: thread },
  };
}

export function runRow(run: Run): Row {
  const final = ["completed", "failed", "cancelled"].includes(run.state);
  const pinned = run.revision > 0 ? `, pinned at revision ${String(run.revision)}` : "";
  return {
    id: run.id,
    label: firstLine(run.goal),
    description: `${said(run.state)} · ${scopeName(run.target).replace(/\/$/, "")}`,
    ...iconOf(run.state),
    tooltip: `**${escaped(run.goal)}**\n\n${said(run.state)}, for ${escaped(run.target)}${pinned}\n\n${escaped(run.created_by)}, ${day(run.created_at)}`,
    spoken: `Run ${firstLine(run.goal)}, ${said(run.state)}, for ${run.target}`,
    flags: [final ? "final" : "open"],
    subject: { kind: "run", of: run },
    click: "waybook.openRun",
  };
}

function said(state: string): string {
  return state.replaceAll("_", " ");
}

function iconOf(state: string): { icon: string; color?: string } {
  return RUN_ICONS[state] ?? { icon: "circle-outline" };
}
