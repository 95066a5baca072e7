// The status bar: how many instruction files the file in front receives, their size, and whether they drifted.

import * as vscode from "vscode";

import type { AgentsExplanation, Drift, Explanation } from "./answers";
import type { Hub } from "./hub";
import { driftOf, targetOf, type Target } from "./load";
import { refusal } from "./refusal";
import { statusText } from "./rows/status";

/** The agent whose chain the status counts: Waybook's own order, which every explanation and pin is about. */
const REFERENCE = "prayu";

export class Status implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private turn = 0;

  constructor(private readonly hub: Hub) {
    this.item = vscode.window.createStatusBarItem("waybook.status", vscode.StatusBarAlignment.Left, 0);
    this.item.name = "Waybook";
    this.item.show();
  }

  /** Ask again; an answer that a newer question has overtaken is dropped. */
  async update(): Promise<void> {
    const turn = (this.turn += 1);
    const { state } = this.hub.session;
    const target = targetOf(this.hub);
    if (state !== "running" || target === undefined) {
      this.idle(state);
      return;
    }
    const shown = await this.facts(target);
    if (turn !== this.turn) return;
    this.item.text = `$(compass) ${shown.text}`;
    this.item.tooltip = new vscode.MarkdownString(shown.tooltip);
    this.item.accessibilityInformation = { label: `Waybook: ${shown.spoken}`, role: "button" };
    this.item.command = shown.stale ? "waybook.drift.focus" : "waybook.instructions.focus";
    this.item.backgroundColor = shown.warn ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  }

  private async facts(target: Target): Promise<ReturnType<typeof statusText>> {
    const { hub } = this;
    const workspace = target.folder.uri.fsPath;
    const params = { target: target.path, workspace };
    let drift: Drift | "unpinned" | undefined;
    try {
      const [chain, counted, drifted] = await Promise.all([
        hub.asked.once(`chain ${target.path}`, () => hub.ask<Explanation>("instructions.explain", params)),
        hub.asked.once(`counted ${target.path}`, () =>
          hub.ask<AgentsExplanation>("agents.explain", { ...params, agent: [REFERENCE] }),
        ),
        driftOf(hub, target.folder).catch(() => undefined),
      ]);
      drift = drifted ?? "unpinned";
      return statusText({ name: target.name, chain, tokens: counted.agents[0]?.tokens ?? null, drift });
    } catch (error) {
      return statusText({ name: target.name, refused: refusal(error).sentence });
    }
  }

  private idle(state: string): void {
    const words: Record<string, string> = {
      starting: "$(loading~spin) Waybook",
      missing: "$(warning) Waybook: no server",
      failed: "$(error) Waybook",
    };
    this.item.text = words[state] ?? "$(compass) Waybook";
    this.item.tooltip = state === "running" ? "No folder is open." : `Waybook's server: ${state}`;
    this.item.accessibilityInformation = { label: `Waybook, server ${state}`, role: "button" };
    this.item.command = state === "running" ? "waybook.instructions.focus" : "waybook.explainServer";
    this.item.backgroundColor = undefined;
  }

  dispose(): void {
    this.item.dispose();
  }
}
