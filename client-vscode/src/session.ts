// The connection to the language server: found, started, restarted, asked.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
  type ExecuteCommandSignature,
} from "vscode-languageclient/node";

import { findServer, type Launch } from "./find";
import { WRITES, type CommandId } from "./generated/server";
import { Refusal, refusal } from "./refusal";
import { written } from "./settings";

export type ServerState = "starting" | "running" | "missing" | "failed" | "stopped";

/** Told by the server when what applies, or what is kept, may have changed. */
const CONTEXT_CHANGED = "waybook/contextChanged";
const MOST_CRASHES = 3;
const CRASH_SPAN_MS = 180_000;

/** Says its troubles to the log only: the person is told once, by us, with what to do next. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Session implements vscode.Disposable {
  readonly log: vscode.LogOutputChannel;
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  readonly onState = this.stateEmitter.event;
  readonly onContextChanged = this.changeEmitter.event;
  /** Handles commands that code lenses and quick fixes of the server name; undefined: not one of ours. */
  intercept: (command: string, argument: unknown) => Promise<unknown> | undefined = () => undefined;
  state: ServerState = "stopped";
  launch: Launch | undefined;
  reason = "";
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private crashes: number[] = [];

  constructor() {
    this.log = vscode.window.createOutputChannel("Waybook", { log: true });
  }

  get serverVersion(): string {
    return this.client?.initializeResult?.serverInfo?.version ?? "";
  }

  /** Start, or start anew with what the settings say now. Calls follow one another. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.stopClient();
      await this.startClient();
    });
    return this.queue;
  }

  stop(): Promise<void> {
    this.queue = this.queue.then(() => this.stopClient());
    return this.queue;
  }

  /** The answer of a command of the server. Throws a `Refusal`. */
  async ask<T>(command: CommandId, params: Record<string, unknown> = {}, token?: vscode.CancellationToken): Promise<T> {
    const client = this.client;
    if (client === undefined || this.state !== "running") {
      throw new Refusal("Waybook's server is not running.", "not-running", "Start it with “Waybook: Restart Server”.");
    }
    allow(command);
    const started = Date.now();
    let ended = "answered";
    try {
      const request = { command: `waybook.${command}`, arguments: [params] };
      return (await client.sendRequest(ExecuteCommandRequest.type, request, token)) as T;
    } catch (error) {
      const refused = refusal(error);
      ended = refused.code;
      throw refused;
    } finally {
      this.log.debug(`${command}: ${ended}, ${String(Date.now() - started)} ms`);
    }
  }

  dispose(): void {
    void this.stop().finally(() => {
      this.log.dispose();
      this.stateEmitter.dispose();
      this.changeEmitter.dispose();
    });
  }

  private async startClient(): Promise<void> {
    this.become("starting");
    this.launch = await findServer(surroundings());
    if (this.launch === undefined) {
      const environment = vscode.workspace.isTrusted ? "the workspace's .venv" : "(no .venv of a workspace that is not trusted)";
      this.log.warn(`No server was found: looked at the setting, ${environment}, PATH, and for uvx.`);
      this.become("missing");
      return;
    }
    const { command, args, source } = this.launch;
    this.log.info(`Starting ${[command, ...args].join(" ")} (found by: ${source})`);
    const client = this.makeClient(command, args);
    this.client = client;
    try {
      client.onNotification(CONTEXT_CHANGED, () => this.changeEmitter.fire());
      await client.start();
      this.log.info(`Server ${this.serverVersion || "of unknown version"} is running.`);
      this.become("running");
    } catch (error) {
      this.reason = error instanceof Error ? error.message : String(error);
      this.log.error(`The server did not start: ${this.reason}`);
      this.client = undefined;
      this.become("failed");
    }
  }

  private async stopClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      try {
        await client.dispose(5000);
      } catch (error) {
        this.log.warn(`The server did not stop in order: ${String(error)}`);
      }
    }
    this.become("stopped");
  }

  private become(state: ServerState): void {
    if (this.state === state) return;
    this.state = state;
    void vscode.commands.executeCommand("setContext", "waybook.state", state);
    this.stateEmitter.fire(state);
  }

  private makeClient(command: string, args: string[]): LanguageClient {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const client = new QuietClient(
      "waybook",
      "Waybook",
      { command, args, transport: TransportKind.stdio, options: folder === undefined ? {} : { cwd: folder } },
      {
        // Any file has instructions that apply to it, and hovering over its first line says which.
        documentSelector: [{ scheme: "file" }],
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => this.closed(),
        },
        middleware: {
          workspace: {
            configuration: async (params, token, next) => {
              const answers = await next(params, token);
              if (!Array.isArray(answers)) return answers;
              return answers.map((answer: unknown, index) =>
                params.items[index]?.section === "waybook" ? settingsNow() : answer,
              );
            },
          },
          // What has no range is about the file as a whole: said on its first line, not at every word of every file.
          provideHover: async (document, position, token, next) => {
            const hover = await next(document, position, token);
            return hover?.range !== undefined || position.line === 0 ? hover : undefined;
          },
          executeCommand: (name, given, next) => this.execute(name, given, next),
        },
      },
    );
    client.onDidChangeState((event) => {
      if (this.client === client && event.newState === State.Running) this.become("running");
    });
    return client;
  }

  /** A command that a lens, a quick fix or a key binding runs. */
  private async execute(name: string, given: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
    const own = this.intercept(name, given[0]);
    if (own !== undefined) return own;
    allow(name.replace(/^waybook\./, ""));
    return next(name, given);
  }

  private closed(): { action: CloseAction; handled: boolean } {
    if (this.state === "starting" || this.client === undefined) return { action: CloseAction.DoNotRestart, handled: true };
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASH_SPAN_MS), now];
    if (this.crashes.length <= MOST_CRASHES) {
      this.log.warn("The server ended unexpectedly; starting it again.");
      this.become("starting");
      return { action: CloseAction.Restart, handled: true };
    }
    this.reason = `It ended ${String(this.crashes.length)} times within three minutes.`;
    this.log.error(this.reason);
    this.become("failed");
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}

/** In a workspace that is not trusted, everything is read and nothing written. */
function allow(command: string): void {
  if (vscode.workspace.isTrusted || !WRITES.has(command)) return;
  throw new Refusal(
    "This workspace is not trusted, so Waybook only reads here.",
    "untrusted",
    "Trust the workspace to pin, confirm and keep memories.",
  );
}

function settingsNow(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration("waybook");
  return written((name) => configuration.inspect(name));
}

function surroundings(): Parameters<typeof findServer>[0] {
  const setting = vscode.workspace.getConfiguration("waybook").get<unknown>("server.command");
  return {
    setting: Array.isArray(setting) ? setting.filter((part): part is string => typeof part === "string") : [],
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    path: process.env["PATH"] ?? "",
    windows: process.platform === "win32",
    isExecutable: async (file) => {
      try {
        await access(file, constants.X_OK);
        return (await stat(file)).isFile();
      } catch {
        return false;
      }
    },
  };
}
