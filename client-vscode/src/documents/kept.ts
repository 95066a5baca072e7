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

/**
 * How often, and how many times, the editor is told that a saved text has a new version line. Told while it is still
 * finishing its save it takes the news for its own doing, so it is told until it reads; while somebody types it does not.
 */
const TELL_MS = 60;
const MOST_TIMES = 30;

/** A time before every text's own, so that the editor never takes its copy for an outdated one. */
const NEVER_NEWER = 1;

const GONE = new Set(["not-found", "no-memory", "no-pin", "no-thread"]);

export class Kept implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.emitter.event;
  private readonly versions = new Versions();
  private readonly unread = new Set<string>();

  constructor(private readonly keeper: Keeper) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const key = uri.toString();
    if (this.versions.get(key) === undefined) await this.load(uri);
    const known = this.versions.get(key) ?? { mtime: 0, size: 0 };
    // What somebody is editing is not held up by news of our own: the server's versions tell a true conflict.
    const mtime = isDirty(uri) ? NEVER_NEWER : known.mtime;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: known.size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { text } = await this.load(uri);
    this.unread.delete(uri.toString());
    return Buffer.from(text, "utf8");
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const key = uri.toString();
    const text = this.versions.current(key, Buffer.from(content).toString("utf8"));
    const version = this.versions.get(key)?.version ?? 0;
    try {
      const saved = await this.keeper.write(uri, text, version);
      this.versions.saved(key, saved.version, content.byteLength);
      if (saved.text === text) return;
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(refusal(error).sentence);
    }
    this.unread.add(key);
    this.tell(uri, MOST_TIMES);
  }

  private tell(uri: vscode.Uri, times: number): void {
    setTimeout(() => {
      const key = uri.toString();
      if (!this.unread.has(key)) return;
      this.versions.touch(key);
      this.emitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      if (times > 1) this.tell(uri, times - 1);
      else this.unread.delete(key);
    }, TELL_MS);
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

  private async load(uri: vscode.Uri): Promise<KeptText> {
    try {
      const kept = await this.keeper.read(uri);
      this.versions.read(uri.toString(), kept.version, Buffer.byteLength(kept.text, "utf8"));
      return kept;
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

function isDirty(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString());
}
