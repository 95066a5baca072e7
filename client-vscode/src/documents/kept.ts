// Documents that are kept by the server and edited in a tab: memories and pins. Saving writes the next version.

import * as vscode from "vscode";

import { refusal } from "../refusal";
import { Versions } from "./versions";

export interface KeptText {
  text: string;
  version: number;
}

/** How one kind of document is read and written; both throw a `Refusal`. */
export interface Keeper {
  read(uri: vscode.Uri): Promise<KeptText>;
  write(uri: vscode.Uri, text: string, version: number): Promise<KeptText>;
}

/** Long enough for the editor to finish its save before it is told that the text has a new version line. */
const SETTLE_MS = 30;

const GONE = new Set(["not-found", "no-memory", "no-pin", "no-thread"]);

export class Kept implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.emitter.event;
  private readonly versions = new Versions();

  constructor(private readonly keeper: Keeper) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const known = this.versions.get(uri.toString()) ?? (await this.load(uri));
    return { type: vscode.FileType.File, ctime: 0, mtime: known.mtime, size: known.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.load(uri)).text, "utf8");
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const key = uri.toString();
    const text = this.versions.current(key, Buffer.from(content).toString("utf8"));
    const version = this.versions.get(key)?.version ?? 0;
    try {
      const saved = await this.keeper.write(uri, text, version);
      this.versions.saved(key, saved.version, content.byteLength);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(refusal(error).sentence);
    }
    setTimeout(() => {
      this.versions.touch(key);
      this.emitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }, SETTLE_MS);
  }

  /** Kept texts may have changed: open ones are read again. */
  refresh(scheme: string): void {
    const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === scheme && !document.isDirty);
    for (const { uri } of open) void this.look(uri);
  }

  /** The text is gone: its tab says so. */
  gone(uri: vscode.Uri): void {
    this.versions.forget(uri.toString());
    this.emitter.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  private async look(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const before = this.versions.get(key)?.version;
    try {
      const { version } = await this.keeper.read(uri);
      if (version === before) return;
      this.versions.touch(key);
      this.emitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    } catch (error) {
      if (GONE.has(refusal(error).code)) this.gone(uri);
    }
  }

  private async load(uri: vscode.Uri): Promise<KeptText & { mtime: number; size: number }> {
    try {
      const kept = await this.keeper.read(uri);
      const size = Buffer.byteLength(kept.text, "utf8");
      return { ...kept, size, mtime: this.versions.read(uri.toString(), kept.version, size) };
    } catch (error) {
      const { code, sentence } = refusal(error);
      if (GONE.has(code)) throw vscode.FileSystemError.FileNotFound(uri);
      throw vscode.FileSystemError.Unavailable(sentence);
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
