// Commands about the server itself.

import * as vscode from "vscode";

import type { Report } from "../answers";
import type { Shown } from "../documents/shown";
import { reportText } from "../documents/texts";
import type { Hub } from "../hub";
import { refusal } from "../refusal";

const SET_PATH = "Set Path";
const INSTALL = "How to Install";
const AGAIN = "Try Again";
const LOG = "Show Log";

export function registerServer(hub: Hub, shown: Shown): void {
  const { session } = hub;
  hub.command("waybook.restartServer", () => session.restart());
  hub.command("waybook.showLog", () => session.log.show());
  hub.command("waybook.setServerCommand", () =>
    vscode.commands.executeCommand("workbench.action.openSettings", "waybook.server.command"),
  );
  hub.command("waybook.howToInstall", () =>
    vscode.commands.executeCommand("workbench.action.openWalkthrough", `${hub.context.extension.id}#start`, false),
  );
  hub.command("waybook.explainServer", () => explain(hub));
  hub.command("waybook.reportVersions", () => shown.open("report", "Waybook versions.md", () => report(hub)));
}

const ENVIRONMENT = (): string =>
  vscode.workspace.isTrusted
    ? "the workspace's .venv has none"
    : "a .venv of a workspace that is not trusted is never used";

/** What is wrong with the server, with a button for each way on. */
export async function explain(hub: Hub): Promise<void> {
  const { session } = hub;
  if (session.state === "running" || session.state === "starting") return;
  const text =
    session.state === "missing"
      ? `Waybook found no server: the setting waybook.server.command is empty, ${ENVIRONMENT()}, and neither waybook nor uvx is on PATH.`
      : `Waybook's server is not running. ${session.reason}`;
  const chosen = await vscode.window.showErrorMessage(text, INSTALL, SET_PATH, AGAIN, LOG);
  if (chosen === INSTALL) await vscode.commands.executeCommand("waybook.howToInstall");
  if (chosen === SET_PATH) await vscode.commands.executeCommand("waybook.setServerCommand");
  if (chosen === AGAIN) await session.restart();
  if (chosen === LOG) session.log.show();
}

async function report(hub: Hub): Promise<string> {
  const { launch, state, serverVersion } = hub.session;
  const manifest = hub.context.extension.packageJSON as { version: string };
  const facts = {
    Extension: manifest.version,
    Editor: `${vscode.env.appName} ${vscode.version} (${vscode.env.appHost})`,
    System: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    Trusted: vscode.workspace.isTrusted ? "yes" : "no: read only",
    Server: `${state}${serverVersion === "" ? "" : ` ${serverVersion}`}`,
    "Server command": launch === undefined ? "none" : `${[launch.command, ...launch.args].join(" ")} (${launch.source})`,
  };
  try {
    const workspace = hub.folders[0]?.uri.fsPath;
    return reportText(facts, await hub.ask<Report>("doctor", workspace === undefined ? {} : { workspace }));
  } catch (error) {
    return reportText(facts, refusal(error).sentence);
  }
}
