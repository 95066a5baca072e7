// Memories and pins as documents.

import type * as vscode from "vscode";

import type { Memory, MemoryDocument, Pin, Pins } from "../answers";
import type { Hub } from "../hub";
import { Refusal } from "../refusal";
import type { Keeper } from "./kept";

export const MEMORY = "waybook-memory";
export const PIN = "waybook-pin";

/** waybook-memory:/project/ID/Title.md: the server's document under a name that a tab can show. */
export function memoryPath(memory: Memory): string {
  const name = Array.from(memory.title.replace(/[/\\]/g, "∕"), (letter) => (letter < " " ? " " : letter)).slice(0, 60).join("");
  return `/${memory.scope}/${memory.id}/${name.trim() || memory.id}.md`;
}

/** The id of the memory that an address means, with or without a title. */
export function memoryId(path: string): string {
  return (path.split("/")[2] ?? "").replace(/\.md$/, "");
}

export function memoryKeeper(hub: Hub): Keeper {
  // The server's own address has no title.
  const address = (uri: vscode.Uri): string => `${MEMORY}:/${uri.path.split("/")[1] ?? ""}/${memoryId(uri.path)}.md`;
  return {
    read: (uri) => hub.ask<MemoryDocument>("memory.read_document", { uri: address(uri) }),
    write: (uri, text, version) => hub.ask<MemoryDocument>("memory.save_document", { uri: address(uri), text, version }),
  };
}

/** waybook-pin:/THREAD/ID.md: the pin's text and nothing else; the last line end is the editor's. */
export function pinKeeper(hub: Hub): Keeper {
  return {
    read: async (uri) => {
      const [, thread = "", name = ""] = uri.path.split("/");
      const id = name.replace(/\.md$/, "");
      const { pins } = await hub.ask<Pins>("pins.list", { thread });
      const pin = pins.find((item) => item.id === id);
      if (pin === undefined) throw new Refusal("This pin is gone.", "not-found");
      return { text: `${pin.text}\n`, version: pin.version };
    },
    write: async (uri, text, version) => {
      const id = (uri.path.split("/")[2] ?? "").replace(/\.md$/, "");
      const plain = text.replace(/\r?\n$/, "");
      const { pin } = await hub.ask<{ pin: Pin }>("pins.edit", { pin: id, version, text: plain });
      return { text, version: pin.version };
    },
  };
}
