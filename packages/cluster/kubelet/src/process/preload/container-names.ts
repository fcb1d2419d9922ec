import type { PreloadSettings } from "./settings.ts";

/** Takes what a program of the host says, and gives it with the container's paths in the place of the host's. */
export interface ContainerNames {
  (chunk: Buffer): Buffer;
  /** What was held back at the end: the beginning of a path, perhaps. */
  end(): Buffer;
}

/** For one stream: a path may come in two pieces. */
export function containerNames({ root, mounts }: Pick<PreloadSettings, "root" | "mounts">): ContainerNames {
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  const pairs: readonly (readonly [string, string])[] = [
    ...mounts.map(([path, host]) => [latin1(host), latin1(path)] as const),
    [latin1(`${root}/`), "/"],
    [latin1(root), "/"],
  ];
  let held = "";
  const take = (chunk: Buffer) => {
    let text = held + chunk.toString("latin1");
    for (const [host, path] of pairs) text = text.replaceAll(host, path);
    const keep = Math.max(...pairs.map(([host]) => overlap(text, host)));
    held = text.slice(text.length - keep);
    return Buffer.from(text.slice(0, text.length - keep), "latin1");
  };
  return Object.assign(take, {
    end() {
      const rest = Buffer.from(held, "latin1");
      held = "";
      return rest;
    },
  });
}

/** How many characters at the end of the text are the beginning of the word. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}
