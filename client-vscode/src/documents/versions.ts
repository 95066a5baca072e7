// Which version of each kept text the editor has, and the times an editor needs to notice that one is newer.

interface Known {
  version: number;
  mtime: number;
  size: number;
  /** Versions that this window's own saves have replaced. */
  replaced: Set<number>;
}

const VERSION_LINE = /^version: (\d+)$/m;

export class Versions {
  private readonly known = new Map<string, Known>();
  private clock = 1;

  get(key: string): Readonly<Known> | undefined {
    return this.known.get(key);
  }

  /** A text was read; gives its time, which moves when its version does. */
  read(key: string, version: number, size: number): number {
    const item = this.known.get(key);
    if (item === undefined) {
      this.known.set(key, { version, size, mtime: (this.clock += 1), replaced: new Set() });
      return this.clock;
    }
    if (item.version !== version) {
      item.version = version;
      item.mtime = this.clock += 1;
    }
    item.size = size;
    return item.mtime;
  }

  /** A text was saved and has a new version; its time stays what the editor expects of its own save. */
  saved(key: string, version: number, size: number): void {
    const item = this.known.get(key);
    if (item === undefined) return;
    if (item.version !== version) item.replaced.add(item.version);
    item.version = version;
    item.size = size;
    item.mtime = this.clock += 1;
  }

  touch(key: string): void {
    const item = this.known.get(key);
    if (item !== undefined) item.mtime = this.clock += 1;
  }

  forget(key: string): void {
    this.known.delete(key);
  }

  /**
   * The text with its version line brought up to date, where the line names a version that this window itself has
   * replaced: somebody went on typing while the editor took over the text of a save. Another's version stays and
   * conflicts.
   */
  current(key: string, text: string): string {
    const item = this.known.get(key);
    const end = text.indexOf("\n---", 3);
    const head = end < 0 ? "" : text.slice(0, end);
    const line = VERSION_LINE.exec(head);
    if (item === undefined || line === null || !item.replaced.has(Number(line[1]))) return text;
    return `${head.replace(VERSION_LINE, `version: ${String(item.version)}`)}${text.slice(end)}`;
  }
}
