import type { Files } from "./rename.ts";

/** The workload of a stage, which is an example too. Renamed with the kind, its image would not exist. */
const workload = /^(?<indent> *)image: "memcached:[^"]*",\n *command: \[[^\]]*\],\n *ports: \[[^\]]*\],\n/m;

/** Replaces the workload by a program that runs anywhere and does nothing. */
export function withPlaceholder(files: Files): Files {
  return new Map(
    [...files].map(([path, bytes]) => {
      if (!/^controllers\/.*\.ts$/.test(path)) return [path, bytes];
      const text = bytes.toString().replace(workload, (...match) => {
        const { indent } = match.at(-1) as { indent: string };
        return [
          "// Replace this by your program. It does nothing, and ends on SIGTERM.",
          'image: "registry.k8s.io/pause:3.10",',
        ].reduce((lines, line) => `${lines}${indent}${line}\n`, "");
      });
      return [path, Buffer.from(text)];
    }),
  );
}
