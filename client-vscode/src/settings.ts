// Which settings the server is told: only what somebody wrote down. A default that an editor sends along would hide the
// environment and the workspace's own waybook.toml, which are weaker layers than the editor.

import { SERVER_SETTINGS } from "./generated/server";

/** What is known of one setting; as `WorkspaceConfiguration.inspect` gives it. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The dotted names with their values; the narrower place counts. */
export function written(inspect: (name: string) => Inspected | undefined): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of SERVER_SETTINGS) {
    const item = inspect(name);
    const value = item?.workspaceFolderValue ?? item?.workspaceValue ?? item?.globalValue;
    if (value !== undefined) found[name] = value;
  }
  return found;
}
