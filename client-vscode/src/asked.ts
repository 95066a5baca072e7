// Answers that several parts of the window show: asked for once, forgotten when anything may have changed.

export class Asked {
  private readonly answers = new Map<string, Promise<unknown>>();

  /** The answer under this key; a failed one is asked for again next time. */
  once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return known as Promise<T>;
    const asked = ask();
    this.answers.set(key, asked);
    asked.catch(() => {
      if (this.answers.get(key) === asked) this.answers.delete(key);
    });
    return asked;
  }

  forget(): void {
    this.answers.clear();
  }
}
