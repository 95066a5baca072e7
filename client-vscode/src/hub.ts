// What every part of the window shares: the session, the views, the file in front, and how errors reach the person.

import * as vscode from "vscode";

import { Asked } from "./asked";
import type { CommandId } from "./generated/server";
import { refusal, type Refusal } from "./refusal";
import type { Row } from "./rows/row";
import type { Session } from "./session";
import type { Tree } from "./tree";

export type ViewId = "instructions" | "drift" | "memory" | "pins" | "candidates" | "sessions";

/** How soon after a change everything is asked for again; several changes in between count as one. */
const REFRESH_MS = 80;

export class Hub implements vscode.Disposable {
  readonly asked = new Asked();
  readonly trees = new Map<ViewId, Tree>();
  private readonly refreshed = new vscode.EventEmitter<void>();
  /** Everything may have changed: what is shown is asked for again. */
  readonly onRefresh = this.refreshed.event;
  private timer: NodeJS.Timeout | undefined;
  private front: vscode.Uri | undefined;

  constructor(
    readonly session: Session,
    readonly context: vscode.ExtensionContext,
  ) {}

  ask<T>(command: CommandId, params: Record<string, unknown> = {}): Promise<T> {
    return this.session.ask<T>(command, params);
  }

  /** Register a command of the palette or of a row; what goes wrong is told once, with what to do next. */
  command(id: string, run: (row: Row | undefined, ...rest: unknown[]) => unknown): void {
    const handler = async (row: unknown, ...rest: unknown[]): Promise<unknown> => {
      try {
        return await run(isRow(row) ? row : undefined, ...rest);
      } catch (error) {
        return this.tell(refusal(error));
      }
    };
    this.context.subscriptions.push(vscode.commands.registerCommand(id, handler));
  }

  /** Show an error with a button for what can be done about it. */
  async tell(error: Refusal): Promise<void> {
    this.session.log.warn(`${error.code}: ${error.sentence}`);
    const file = error.path === "" ? undefined : await this.existing(error.path);
    const open = "Open File";
    const trust = "Manage Trust";
    const restart = "Restart Server";
    const buttons = [
      ...(file === undefined ? [] : [open]),
      ...(error.code === "untrusted" ? [trust] : []),
      ...(error.code === "not-running" ? [restart] : []),
    ];
    const chosen = await vscode.window.showErrorMessage(`Waybook: ${error.sentence}`, ...buttons);
    if (chosen === open && file !== undefined) await vscode.window.showTextDocument(file);
    if (chosen === trust) await vscode.commands.executeCommand("workbench.trust.manage");
    if (chosen === restart) await vscode.commands.executeCommand("waybook.restartServer");
  }

  /** Ask for everything again, soon. */
  refresh(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.asked.forget();
      for (const tree of this.trees.values()) tree.refresh();
      this.refreshed.fire();
    }, REFRESH_MS);
  }

  /** Another file came to the front; what is known of the workspace still holds. */
  follow(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri;
    // A memory or a difference in front is about what was looked at before.
    const next = uri === undefined || uri.scheme === "file" ? uri : this.front;
    if (next?.toString() === this.front?.toString()) return;
    this.front = next;
    this.trees.get("instructions")?.refresh();
    this.refreshed.fire();
  }

  /** The file in front, if it lies in a folder of the workspace. */
  get file(): vscode.Uri | undefined {
    return this.front !== undefined && vscode.workspace.getWorkspaceFolder(this.front) !== undefined ? this.front : undefined;
  }

  get folders(): readonly vscode.WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
  }

  /** The folder of the file in front, the only folder, or the one the person picks. */
  async chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
    const owner = this.file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(this.file);
    if (owner !== undefined) return owner;
    if (this.folders.length <= 1) return this.folders[0];
    const items = this.folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
    return (await vscode.window.showQuickPick(items, { placeHolder: "Which workspace folder?" }))?.folder;
  }

  private async existing(path: string): Promise<vscode.Uri | undefined> {
    const places = path.startsWith("/")
      ? [vscode.Uri.file(path)]
      : this.folders.map((folder) => vscode.Uri.joinPath(folder.uri, path));
    for (const uri of places) {
      try {
        if ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) return uri;
      } catch {
        // Not in this folder.
      }
    }
    return undefined;
  }

  dispose(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.refreshed.dispose();
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && "id" in value && "label" in value;
}
