// Threads with what they keep (Pins).

import type { Pins, Proposal, Thread } from "../answers";
import { count, day, escaped, firstLine } from "../wording";
import type { Row } from "./row";
import { note } from "./row";

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

export function threadRow(thread: Thread): Row {
  return {
    id: thread.id,
    label: thread.title,
    icon: "comment-discussion",
    flags: [thread.state],
    subject: { kind: "thread", of: thread },
  };
}
