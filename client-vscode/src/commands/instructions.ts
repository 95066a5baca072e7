// Commands about what applies: the file in front, its context, the agents.

import * as vscode from "vscode";

import type { KnownAgent, Matrix, Snapshot } from "../answers";
import type { Shown } from "../documents/shown";
import { contextText, matrixText } from "../documents/texts";
import type { Hub } from "../hub";
import { agentNames, targetOf } from "../load";
import { previewedBy, type Previewed } from "../rows/previewed";
import { subjectOf } from "./pick";

export function registerInstructions(hub: Hub, shown: Shown): void {
  hub.command("waybook.refresh", () => hub.refresh());
  hub.command("waybook.explainFile", () => vscode.commands.executeCommand("waybook.instructions.focus"));
  hub.command("waybook.showProblems", () => vscode.commands.executeCommand("workbench.actions.view.problems"));
  hub.command("waybook.openInstruction", async (row) => {
    const found = await subjectOf(hub, "instructions", "instruction", row, "Which instruction file?");
    if (found !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(found.absolute), { preview: true });
  });
  hub.command("waybook.readInstructions", async () => {
    const target = targetOf(hub);
    if (target === undefined) return;
    const params = { target: target.path, workspace: target.folder.uri.fsPath };
    const make = async (): Promise<string> => contextText(await hub.ask<Snapshot>("instructions.inspect", params));
    await shown.open("instructions", `Instructions of ${target.name.replaceAll("/", " › ")}.md`, make);
  });
  hub.command("waybook.previewContext", async (row) => {
    const previewed = previewedBy(row) ?? ofFile(hub);
    if (previewed === undefined) return;
    const params = { ...previewed.params, markdown: true };
    const make = async (): Promise<string> => (await hub.ask<{ text: string }>("context.preview", params)).text;
    await shown.open("preview", previewed.name, make);
  });
  hub.command("waybook.showMatrix", async () => {
    const folder = await hub.chosenFolder();
    if (folder === undefined) return;
    const make = async (): Promise<string> => {
      const matrix = await hub.ask<Matrix>("agents.matrix", { workspace: folder.uri.fsPath });
      return matrixText(matrix, await agentNames(hub, folder));
    };
    const uri = shown.uri("matrix", `Agents and files of ${folder.name}.md`, make);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  });
  hub.command("waybook.chooseAgents", () => chooseAgents(hub));
}

/** What a model would see that works on the file in front. */
function ofFile(hub: Hub): Previewed | undefined {
  const target = targetOf(hub);
  if (target === undefined) return undefined;
  const params = { target: target.path, workspace: target.folder.uri.fsPath };
  return { params, name: `Preview of ${target.name.replaceAll("/", " › ")}.md` };
}

/** Write the setting `waybook.agents`; nothing chosen means: those in use. */
async function chooseAgents(hub: Hub): Promise<void> {
  const folder = hub.folders[0];
  const { agents } = await hub.ask<{ agents: KnownAgent[] }>("agents.list", folder === undefined ? {} : { workspace: folder.uri.fsPath });
  const items = agents.map((agent) => ({
    label: agent.name,
    description: `${agent.version} · ${agent.confidence}`,
    detail: agent.reach,
    picked: agent.in_use,
    id: agent.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: "Agents that matter",
    placeHolder: "Choose none to show those whose traces are found",
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  const place = folder === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  const value = chosen.length === 0 ? undefined : chosen.map((item) => item.id);
  await vscode.workspace.getConfiguration("waybook").update("agents", value, place);
}
