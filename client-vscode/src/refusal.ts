// An error as the server reports it: a sentence, a stable code, and what to do next.

export class Refusal extends Error {
  readonly code: string;
  readonly hint: string;
  readonly path: string;

  constructor(message: string, code: string, hint = "", path = "") {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.hint = hint;
    this.path = path;
  }

  /** The whole thing for people. */
  get sentence(): string {
    return this.hint === "" ? this.message : `${this.message} ${this.hint}`;
  }
}

/** What went wrong, whatever was thrown: the server's typed errors keep their code. */
export function refusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const data = typeof thrown === "object" && thrown !== null && "data" in thrown ? thrown.data : undefined;
  if (typeof data !== "object" || data === null) return new Refusal(message, "unexpected");
  const text = (name: string): string => {
    const value = (data as Record<string, unknown>)[name];
    return typeof value === "string" ? value : "";
  };
  return new Refusal(text("message") || message, text("code") || "unexpected", text("hint"), text("path"));
}
