// Where the language server is: the setting, the workspace's own environment, PATH, then uv's runner.

export interface Launch {
  command: string;
  args: string[];
  /** For people: where it was found. */
  source: "setting" | "workspace environment" | "PATH" | "uvx";
}

export interface Surroundings {
  /** The setting `waybook.server.command`: a program and its arguments, without `lsp`. */
  setting: readonly string[];
  /** Absolute paths of the workspace's folders. */
  folders: readonly string[];
  /** A workspace that is not trusted may not bring the program that runs. */
  trusted: boolean;
  path: string;
  windows: boolean;
  isExecutable: (file: string) => Promise<boolean>;
}

const ENVIRONMENTS = [".venv", "venv"];

/** The first server there is, or undefined. Entries of PATH that are not absolute are passed over. */
export async function findServer(around: Surroundings): Promise<Launch | undefined> {
  const [program, ...rest] = around.setting;
  if (program !== undefined && program.trim() !== "") {
    return { command: program, args: [...rest, "lsp"], source: "setting" };
  }
  if (around.trusted) {
    for (const folder of around.folders) {
      for (const name of ENVIRONMENTS) {
        const file = around.windows ? `${folder}\\${name}\\Scripts\\waybook.exe` : `${folder}/${name}/bin/waybook`;
        if (await around.isExecutable(file)) return { command: file, args: ["lsp"], source: "workspace environment" };
      }
    }
  }
  const waybook = await onPath("waybook", around);
  if (waybook !== undefined) return { command: waybook, args: ["lsp"], source: "PATH" };
  const uvx = await onPath("uvx", around);
  return uvx === undefined ? undefined : { command: uvx, args: ["waybook", "lsp"], source: "uvx" };
}

async function onPath(name: string, around: Surroundings): Promise<string | undefined> {
  const [separator, slash, ending] = around.windows ? [";", "\\", ".exe"] : [":", "/", ""];
  const absolute = around.windows ? /^([a-z]:[\\/]|\\\\)/i : /^\//;
  for (const directory of around.path.split(separator)) {
    if (!absolute.test(directory)) continue;
    // In a workspace that is not trusted, nothing that lies in it may run.
    if (!around.trusted && around.folders.some((folder) => within(directory, folder, slash))) continue;
    const file = `${directory.replace(/[\\/]+$/, "")}${slash}${name}${ending}`;
    if (await around.isExecutable(file)) return file;
  }
  return undefined;
}

function within(path: string, folder: string, slash: string): boolean {
  return path === folder || path.startsWith(`${folder}${slash}`);
}
