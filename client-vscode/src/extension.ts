// Waybook in Visual Studio Code: wires the server's answers to views, documents, commands and the status bar.

import * as vscode from "vscode";

import { intercepted, registerDrift } from "./commands/drift";
import { registerInstructions } from "./commands/instructions";
import { registerCandidates, registerMemory } from "./commands/memory";
import { explain, registerServer } from "./commands/server";
import { registerSessions } from "./commands/sessions";
import { registerPins } from "./commands/threads";
import { Kept } from "./documents/kept";
import { MEMORY, memoryKeeper, PIN, pinKeeper } from "./documents/keepers";
import { Shown, SHOWN } from "./documents/shown";
import { Hub, type ViewId } from "./hub";
import { loadCandidates, loadDrift, loadInstructions, loadMemory, loadPins, loadSessions } from "./load";
import { refusal } from "./refusal";
import type { Row } from "./rows/row";
import { Session } from "./session";
import { Status } from "./status";
import { Tree } from "./tree";

const VIEWS: Record<ViewId, (hub: Hub) => Promise<Row[]>> = {
  instructions: loadInstructions,
  drift: loadDrift,
  memory: loadMemory,
  pins: loadPins,
  candidates: loadCandidates,
  sessions: loadSessions,
};

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  session = new Session();
  const hub = new Hub(session, context);
  const shown = new Shown();
  const memories = new Kept(memoryKeeper(hub));
  const pins = new Kept(pinKeeper(hub));
  const status = new Status(hub);
  context.subscriptions.push(session, hub, shown, memories, pins, status);
  for (const [id, load] of Object.entries(VIEWS) as [ViewId, (hub: Hub) => Promise<Row[]>][]) {
    const tree = new Tree(`waybook.${id}`, () => load(hub));
    hub.trees.set(id, tree);
    context.subscriptions.push(tree);
  }
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SHOWN, shown),
    vscode.workspace.registerFileSystemProvider(MEMORY, memories, { isCaseSensitive: true }),
    vscode.workspace.registerFileSystemProvider(PIN, pins, { isCaseSensitive: true }),
  );
  registerServer(hub, shown);
  registerInstructions(hub, shown);
  registerDrift(hub, shown);
  registerMemory(hub, memories);
  registerCandidates(hub, shown);
  registerPins(hub, pins);
  registerSessions(hub, shown);
  session.intercept = (command, argument) =>
    intercepted(hub, shown, command, argument)?.catch((error: unknown) => hub.tell(refusal(error)));
  listen(hub, status, () => {
    shown.refresh();
    memories.refresh(MEMORY);
    pins.refresh(PIN);
  });
  hub.follow(vscode.window.activeTextEditor);
  void session.restart();
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

function listen(hub: Hub, status: Status, refreshDocuments: () => void): void {
  const { session: server } = hub;
  let told = false;
  hub.context.subscriptions.push(
    server.onContextChanged(() => hub.refresh()),
    server.onState((state) => {
      void status.update();
      if (state === "starting") {
        told = false;
        return;
      }
      hub.refresh();
      if ((state === "missing" || state === "failed") && !told) {
        told = true;
        void explain(hub);
      }
    }),
    hub.onRefresh(() => {
      void status.update();
      refreshDocuments();
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // Between two tabs there is none for a moment; only a window without tabs has none.
      if (editor !== undefined || !hasTabs()) hub.follow(editor);
    }),
    vscode.window.tabGroups.onDidChangeTabs(() => {
      if (!hasTabs()) hub.follow(undefined);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => hub.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("waybook.server.command")) void server.restart();
      else if (event.affectsConfiguration("waybook")) hub.refresh();
    }),
  );
}

function hasTabs(): boolean {
  return vscode.window.tabGroups.all.some((group) => group.tabs.length > 0);
}
