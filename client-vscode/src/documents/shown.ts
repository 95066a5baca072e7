// Documents that are only looked at: pinned texts, the context of a file, candidates, runs, reports.

import * as vscode from "vscode";

import { refusal } from "../refusal";

export const SHOWN = "waybook-view";
type Make = () => Promise<string>;

/** Texts by URI, made when they are opened and again when something changed. */
export class Shown implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly makers = new Map<string, Make>();
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;

  /** The URI under which the text can be opened; `name` is what its tab shows and decides the language. */
  uri(kind: string, name: string, make: Make): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SHOWN, authority: kind, path: name.startsWith("/") ? name : `/${name}` });
    this.makers.set(uri.toString(), make);
    this.emitter.fire(uri);
    return uri;
  }

  async open(kind: string, name: string, make: Make): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri(kind, name, make));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Documents on the screen are made again; the rest is when it is opened. */
  refresh(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === SHOWN) this.emitter.fire(document.uri);
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const make = this.makers.get(uri.toString());
    if (make === undefined) return "This text was made in an earlier window. Close it and open it again.\n";
    try {
      return await make();
    } catch (error) {
      return `${refusal(error).sentence}\n`;
    }
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
