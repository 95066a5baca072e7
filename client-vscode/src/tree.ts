// Rows as a tree view. A view that nobody sees is not asked for; it is marked and catches up when it is shown.

import * as vscode from "vscode";

import { refusal } from "./refusal";
import { menuWords, note, type Row } from "./rows/row";

/**
 * A view that is unfolded for the first time, and has rows at once, is left without a height and looks empty (VS Code
 * 1.139, measured). Setting its message, even to nothing, makes the editor lay it out.
 */
const DRAW_MS = 50;

export class Tree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly view: vscode.TreeView<Row>;
  private readonly visibility: vscode.Disposable;
  private stale = false;
  private shown = false;

  /** `load` gives the rows; an empty list shows the view's welcome text. */
  constructor(
    readonly id: string,
    private readonly load: () => Promise<Row[]>,
  ) {
    this.view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
    this.visibility = this.view.onDidChangeVisibility(({ visible }) => {
      if (!visible) return;
      if (this.stale) this.emitter.fire();
      this.stale = false;
    });
  }

  refresh(): void {
    if (this.view.visible) this.emitter.fire();
    else this.stale = this.shown; // a view that was never seen asks by itself when it first is
  }

  /** What stands beside the view's name. */
  describe(text: string): void {
    this.view.description = text;
  }

  badge(value: number, tooltip: string): void {
    this.view.badge = value === 0 ? undefined : { value, tooltip };
  }

  /** Every row as it is now; for a choice by keyboard. */
  async rows(): Promise<Row[]> {
    try {
      return await this.load();
    } catch (error) {
      const { message, hint } = refusal(error);
      return [{ ...note(`${this.id}/error`, message, "error", hint), color: "list.errorForeground" }];
    }
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row !== undefined) return row.children ?? [];
    const rows = await this.rows();
    if (!this.shown && rows.length > 0) setTimeout(() => (this.view.message = ""), DRAW_MS);
    this.shown = true;
    return rows;
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const unfolded = vscode.TreeItemCollapsibleState.Expanded;
    const folded = vscode.TreeItemCollapsibleState.Collapsed;
    const state = row.children === undefined ? vscode.TreeItemCollapsibleState.None : row.folded === true ? folded : unfolded;
    const item = new vscode.TreeItem(row.label, state);
    // What gets its first child is another item: the editor would keep the old one folded.
    item.id = row.children === undefined ? row.id : `${row.id}/*`;
    item.description = row.description ?? "";
    item.iconPath = new vscode.ThemeIcon(row.icon, row.color === undefined ? undefined : new vscode.ThemeColor(row.color));
    item.contextValue = menuWords(row);
    if (row.tooltip !== undefined) item.tooltip = new vscode.MarkdownString(row.tooltip);
    if (row.spoken !== undefined) item.accessibilityInformation = { label: row.spoken };
    if (row.click !== undefined) item.command = { command: row.click, title: "Open", arguments: [row] };
    return item;
  }

  dispose(): void {
    this.visibility.dispose();
    this.view.dispose();
    this.emitter.dispose();
  }
}
