import type { Files } from "./rename.ts";

/** What a stage's operator runs is an example as well, and under another kind's name it would be an image that nobody has. */
const workload = /^(?<indent> *)image: "memcached:[^"]*",\n *command: \[[^\]]*\],\n *ports: \[[^\]]*\],\n/m;

/** The files with a program in the workload's place that runs anywhere, and does nothing. */
export function withPlaceholder(files: Files): Files {
  return new Map(
    [...files].map(([path, bytes]) => {
      if (!/^controllers\/.*\.ts$/.test(path)) return [path, bytes];
      const text = bytes.toString().replace(workload, (...match) => {
        const { indent } = match.at(-1) as { indent: string };
        return [
          "// Your program instead of this one, which waits until it is told to end.",
          'image: "registry.k8s.io/pause:3.10",',
        ].reduce((lines, line) => `${lines}${indent}${line}\n`, "");
      });
      return [path, Buffer.from(text)];
    }),
  );
}
