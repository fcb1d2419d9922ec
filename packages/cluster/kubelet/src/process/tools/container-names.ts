import type { ContainerFolder } from "../container-folder.ts";

/** Takes what a program of the host says, and gives it with the container's paths in the place of the host's. */
export interface ContainerNames {
  (chunk: Buffer): Buffer;
  /** What was held back at the end: the beginning of a path, perhaps. */
  end(): Buffer;
}

/** For one stream: a path may come in two pieces. */
export function containerNames({ root, mounts }: Pick<ContainerFolder, "root" | "mounts">): ContainerNames {
  // Bytes are characters here, and no character is ever half.
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  const paths = new Map([
    ...mounts.map(([path, host]) => [latin1(host), latin1(path)] as const),
    [latin1(`${root}/`), "/"],
    [latin1(root), "/"],
  ]);
  const longestFirst = [...paths.keys()].sort((a, b) => b.length - a.length);
  const known = new RegExp(longestFirst.map(literally).join("|"), "g");
  let pending = "";
  const rename = (text: string) => text.replace(known, (host) => paths.get(host) ?? host);
  const take = (chunk: Buffer) => {
    const text = pending + chunk.toString("latin1");
    // After the last path that cannot go on: what may be the beginning of one is held back.
    let from = 0;
    for (const { 0: host, index } of text.matchAll(known)) {
      const end = index + host.length;
      if (end < text.length || !longestFirst.some((other) => other !== host && other.startsWith(host)))
        from = end;
    }
    const rest = text.slice(from);
    const keep = Math.max(...longestFirst.map((host) => overlap(rest, host)));
    pending = rest.slice(rest.length - keep);
    return Buffer.from(rename(text.slice(0, text.length - keep)), "latin1");
  };
  return Object.assign(take, {
    end() {
      const rest = Buffer.from(rename(pending), "latin1");
      pending = "";
      return rest;
    },
  });
}

/** How many characters at the end of the text are a beginning of the word, and not all of it. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}

/** A text as a regular expression has it. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
