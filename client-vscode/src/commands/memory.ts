// Commands about memories and the candidates for them.

import * as vscode from "vscode";

import type { Candidate, Memory, MemoryHits, MemoryPage } from "../answers";
import { MEMORY, memoryId, memoryPath } from "../documents/keepers";
import type { Kept } from "../documents/kept";
import type { Shown } from "../documents/shown";
import { candidateText } from "../documents/texts";
import type { Hub } from "../hub";
import { refusal } from "../refusal";
import type { Row } from "../rows/row";
import { firstLine } from "../wording";
import { askText, subjectOf, sure } from "./pick";

const SEARCH_PAUSE_MS = 150;

export function registerMemory(hub: Hub, kept: Kept): void {
  hub.command("waybook.newMemory", () => create(hub, ""));
  hub.command("waybook.keepSelection", () => {
    const editor = vscode.window.activeTextEditor;
    return create(hub, editor?.document.getText(editor.selection) ?? "");
  });
  hub.command("waybook.searchMemory", () => search(hub));
  hub.command("waybook.openMemory", async (row) => {
    const memory = await memoryOf(hub, row);
    if (memory !== undefined) await open(memory);
  });
  hub.command("waybook.disableMemory", (row) => turn(hub, row, "memory.disable", "active"));
  hub.command("waybook.enableMemory", (row) => turn(hub, row, "memory.enable", "disabled"));
  hub.command("waybook.deleteMemory", async (row) => {
    const memory = await memoryOf(hub, row);
    if (memory === undefined) return;
    const detail = "It cannot be brought back: its text is erased from the database.";
    if (!(await sure(`Delete the memory “${memory.title}” for good?`, detail, "Delete"))) return;
    await hub.ask("memory.delete", { memory: memory.id, version: memory.version });
    const uri = uriOf(memory);
    await close(uri);
    kept.gone(uri);
    hub.refresh();
  });
  hub.command("waybook.exportMemories", () => exportAll(hub));
  hub.command("waybook.importMemories", () => importAll(hub));
}

export function registerCandidates(hub: Hub, shown: Shown): void {
  const which = (row: Row | undefined, fresh = false): Promise<Candidate | undefined> =>
    subjectOf(hub, "candidates", "candidate", row, "Which candidate?", (item) => !fresh || (item.flags?.includes("fresh") ?? false));
  const read = (found: Candidate): Record<string, unknown> => ({
    candidate: found.id,
    version: found.version,
    fingerprint: found.fingerprint,
    note_version: found.note_version,
  });
  hub.command("waybook.openCandidate", async (row) => {
    const found = await which(row);
    if (found === undefined) return;
    const make = async (): Promise<string> => candidateText(await hub.ask<Candidate>("candidates.show", { candidate: found.id }));
    await shown.open("candidate", `${found.id}/${(found.title ?? "Candidate").replaceAll("/", "∕")}.md`, make);
  });
  hub.command("waybook.confirmCandidate", async (row) => {
    const found = await which(row, true);
    if (found === undefined) return;
    const detail = `${firstLine(found.content ?? "", 500)}\n\n${found.basis.confidence}`;
    if (!(await sure(`Keep “${found.title ?? ""}” as project memory?`, detail, "Keep"))) return;
    await hub.ask("candidates.confirm", { ...read(found), confirm: true });
    hub.refresh();
  });
  hub.command("waybook.rejectCandidate", async (row) => {
    const found = await which(row);
    if (found === undefined) return;
    if (!(await sure(`Reject “${found.title ?? ""}”?`, "Its text is erased from the queue for good.", "Reject"))) return;
    await hub.ask("candidates.reject", read(found));
    hub.refresh();
  });
}

function memoryOf(hub: Hub, row: Row | undefined, flag = ""): Promise<Memory | undefined> {
  return subjectOf(hub, "memory", "memory", row, "Which memory?", (item) => flag === "" || (item.flags?.includes(flag) ?? false));
}

/** The address under which the memory is open already, whatever its title was then, else one with its title. */
function uriOf(memory: Memory): vscode.Uri {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === MEMORY && memoryId(uri.path) === memory.id);
  return open?.uri ?? vscode.Uri.from({ scheme: MEMORY, path: memoryPath(memory) });
}

async function open(memory: Memory): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(memory));
  await vscode.window.showTextDocument(document, { preview: true });
}

async function close(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const mine = tabs.filter((tab) => tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString());
  if (mine.length > 0) await vscode.window.tabGroups.close(mine);
}

/** Whom it is about, its title, its first text; the rest is written in the tab that opens. */
async function create(hub: Hub, selected: string): Promise<void> {
  const scopes = [
    ...hub.folders.map((folder) => ({
      label: `$(root-folder) ${folder.name}`,
      description: "for this workspace",
      given: { scope: "project", workspace: folder.uri.fsPath },
    })),
    { label: "$(account) Yours", description: "for you, in every workspace", given: { scope: "user" } },
  ];
  const scope = await vscode.window.showQuickPick(scopes, { title: "New memory (1/3)", placeHolder: "Whom is it about?" });
  if (scope === undefined) return;
  const title = await askText("New memory (2/3)", "Its title, one line.", firstLine(selected, 60));
  if (title === undefined) return;
  const content =
    selected.trim() === "" ? await askText("New memory (3/3)", "What to keep. You can write more in the tab that opens.") : selected;
  if (content === undefined) return;
  const memory = await hub.ask<Memory>("memory.create", { ...scope.given, title, content });
  hub.refresh();
  await open(memory);
}

async function turn(hub: Hub, row: Row | undefined, command: "memory.enable" | "memory.disable", flag: string): Promise<void> {
  const memory = await memoryOf(hub, row, flag);
  if (memory === undefined) return;
  await hub.ask(command, { memory: memory.id, version: memory.version });
  hub.refresh();
}

/** Results while one types; Enter opens the chosen one. */
async function search(hub: Hub): Promise<void> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { memory?: Memory }>();
  picker.title = "Search memories";
  picker.placeholder = "Words or parts of words, in any script; a phrase in double quotes";
  picker.matchOnDescription = true;
  let timer: NodeJS.Timeout | undefined;
  let turnNumber = 0;
  const look = async (words: string): Promise<void> => {
    const mine = (turnNumber += 1);
    picker.busy = true;
    const found = words.trim() === "" ? await newest(hub) : await hits(hub, words);
    if (mine !== turnNumber) return;
    picker.items = found;
    picker.busy = false;
  };
  picker.onDidChangeValue((words) => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(words), SEARCH_PAUSE_MS);
  });
  picker.onDidAccept(() => {
    const memory = picker.selectedItems[0]?.memory;
    picker.hide();
    if (memory !== undefined) void open(memory);
  });
  picker.onDidHide(() => {
    clearTimeout(timer);
    turnNumber += 1;
    picker.dispose();
  });
  picker.show();
  await look("");
}

type Found = vscode.QuickPickItem & { memory?: Memory };

async function hits(hub: Hub, words: string): Promise<Found[]> {
  try {
    const perFolder = await everywhere(hub, (params) => hub.ask<MemoryHits>("memory.search", { ...params, words: [words], all: true }));
    const found = perFolder.flatMap((answer) => answer.hits).sort((a, b) => b.score - a.score);
    const known = new Map(found.map((hit) => [hit.memory.id, hit]));
    if (known.size === 0) return [{ label: "Nothing found", alwaysShow: true }];
    return [...known.values()].map((hit) => item(hit.memory, hit.excerpt));
  } catch (error) {
    return [{ label: refusal(error).sentence, alwaysShow: true }];
  }
}

async function newest(hub: Hub): Promise<Found[]> {
  try {
    const pages = await everywhere(hub, (params) => hub.ask<MemoryPage>("memory.list", { ...params, all: true }));
    const known = new Map(pages.flatMap((page) => page.memories).map((memory) => [memory.id, memory]));
    return [...known.values()].map((memory) => item(memory, firstLine(memory.content)));
  } catch (error) {
    return [{ label: refusal(error).sentence, alwaysShow: true }];
  }
}

/** Ask about the person's own and each folder's; a folder that nothing was kept for has none. */
async function everywhere<T>(hub: Hub, ask: (params: Record<string, unknown>) => Promise<T>): Promise<T[]> {
  const places = [{ scope: "user" }, ...hub.folders.map((folder) => ({ scope: "project", workspace: folder.uri.fsPath }))];
  const answers = await Promise.all(
    places.map(async (params) => {
      try {
        return [await ask(params)];
      } catch (error) {
        if (refusal(error).code === "no-workspace") return [];
        throw error;
      }
    }),
  );
  return answers.flat();
}

function item(memory: Memory, detail: string): Found {
  const quiet = memory.status === "disabled" || memory.expired ? ", off" : "";
  return { label: memory.title, description: `${memory.scope}${quiet}`, detail: detail.replaceAll("\n", " "), alwaysShow: true, memory };
}

async function exportAll(hub: Hub): Promise<void> {
  const folder = await hub.chosenFolder();
  const params = folder === undefined ? { scope: "user" } : { workspace: folder.uri.fsPath };
  const text = `${JSON.stringify(await hub.ask("memory.export", { ...params, all: true }), null, 2)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: "json", content: text });
  await vscode.window.showTextDocument(document);
}

async function importAll(hub: Hub): Promise<void> {
  const folder = await hub.chosenFolder();
  const files = await vscode.window.showOpenDialog({ title: "Import memories", filters: { "Export of memories": ["json"] } });
  const file = files?.[0];
  if (file === undefined) return;
  const document = Buffer.from(await vscode.workspace.fs.readFile(file)).toString("utf8");
  const params = folder === undefined ? { document } : { document, workspace: folder.uri.fsPath };
  const done = await hub.ask<{ imported: string[] }>("memory.import", params);
  hub.refresh();
  void vscode.window.showInformationMessage(`Waybook: imported ${String(done.imported.length)}.`);
}
