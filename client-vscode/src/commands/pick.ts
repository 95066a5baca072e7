// The row that a command works on: the one it was called on, or the one the person picks by keyboard.

import * as vscode from "vscode";

import type { Hub, ViewId } from "../hub";
import { about, ofKind, type Kind, type Row, type Subjects } from "../rows/row";

export async function subjectOf<K extends Kind>(
  hub: Hub,
  view: ViewId,
  kind: K,
  row: Row | undefined,
  placeHolder: string,
  accept: (row: Row) => boolean = () => true,
): Promise<Subjects[K] | undefined> {
  const given = about(row, kind);
  if (given !== undefined) return given;
  const rows = await hub.trees.get(view)?.rows();
  const items = ofKind(rows ?? [], kind)
    .filter((item) => accept(item.row))
    .map((item) => ({ label: item.row.label, description: item.row.description ?? "", subject: item.subject }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage("Waybook: there is nothing to choose from.");
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.subject;
}

/** Ask before something that cannot be taken back; a modal, so that nothing happens by a stray key. */
export async function sure(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

/** A text that may not be blank; undefined when the person leaves. */
export async function askText(title: string, prompt: string, value = ""): Promise<string | undefined> {
  const validateInput = (text: string): string | undefined => (text.trim() === "" ? "Write something." : undefined);
  const answer = await vscode.window.showInputBox({ title, prompt, value, validateInput, ignoreFocusOut: true });
  return answer?.trim();
}
