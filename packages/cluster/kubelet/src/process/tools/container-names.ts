import type { ContainerFolder } from "../container-folder.ts";

/** Replaces the host's paths by the container's in the output of a program on the host. */
export interface ContainerNames {
  (chunk: Buffer): Buffer;
  /** Returns the text held back at the end, which may be the beginning of a path. */
  end(): Buffer;
}

/** Handles one stream, in which a path may span two chunks. */
export function containerNames({ root, mounts }: Pick<ContainerFolder, "root" | "mounts">): ContainerNames {
  // In latin1 each byte is a character, so no chunk ends within one.
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  const paths = new Map([
    ...mounts.map(([path, host]) => [latin1(host), latin1(path)] as const),
    [latin1(`${root}/`), "/"],
    [latin1(root), "/"],
  ]);
  const longestFirst = [...paths.keys()].sort((a, b) => b.length - a.length);
  const known = new RegExp(longestFirst.map(escapeRegExp).join("|"), "g");
  let pending = "";
  const rename = (text: string) => text.replace(known, (host) => paths.get(host) ?? host);
  const take = (chunk: Buffer) => {
    const text = pending + chunk.toString("latin1");
    // After the last path that cannot continue. A text that may be the beginning of a path is held back.
    let from = 0;
    for (const { 0: host, index } of text.matchAll(known)) {
      const end = index + host.length;
      if (end < text.length || !longestFirst.some((other) => other !== host && other.startsWith(host)))
        from = end;
    }
    const rest = text.slice(from);
    const heldBack = Math.max(...longestFirst.map((host) => overlap(rest, host)));
    pending = rest.slice(rest.length - heldBack);
    return Buffer.from(rename(text.slice(0, text.length - heldBack)), "latin1");
  };
  return Object.assign(take, {
    end() {
      const rest = Buffer.from(rename(pending), "latin1");
      pending = "";
      return rest;
    },
  });
}

/** Returns the length of the longest end of the text that is a proper beginning of the word. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}

/** Escapes a text for a regular expression. */
function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
