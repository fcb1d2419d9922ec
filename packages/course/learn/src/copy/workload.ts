import type { Files } from "./rename.ts";

/** The workload of a stage, which is an example too. Renamed with the kind, its image would not exist. */
const workload = /^(?<indent> *)image: "memcached:[^"]*",\n *command: \[[^\]]*\],\n *ports: \[[^\]]*\],\n/m;

/** What only the workload's command uses. */
const settings = /^ *const (?:\{ memory[^}]*\}|onFull) = .*;\n/gm;

/** Replaces the workload by a program that runs anywhere and does nothing. */
export function withPlaceholder(files: Files): Files {
  return new Map(
    [...files].map(([path, bytes]) => {
      if (!/^controllers\/.*\.ts$/.test(path)) return [path, bytes];
      const source = bytes.toString();
      if (!workload.test(source)) return [path, bytes];
      const text = source.replaceAll(settings, "").replace(workload, (...match) => {
        const { indent } = match.at(-1) as { indent: string };
        return [
          "// Replace this with your program. It does nothing, and exits on SIGTERM.",
          'image: "registry.k8s.io/pause:3.10",',
        ].reduce((lines, line) => `${lines}${indent}${line}\n`, "");
      });
      return [path, Buffer.from(text)];
    }),
  );
}
