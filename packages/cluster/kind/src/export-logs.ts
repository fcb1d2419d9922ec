import { resolve } from "node:path";
import type { KindOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { runKind } from "./run-kind.ts";

/** Writes the logs of nodes and Pods below `directory`, which is made if it is not there. Its absolute path. */
export async function exportLogs(
  name: string,
  directory: string,
  options: KindOptions = {},
): Promise<string> {
  const path = resolve(directory);
  await runKind(await prepare(options), ["export", "logs", path, "--name", name], {
    what: `the logs of cluster ${name} were not exported`,
    cluster: name,
    signal: options.signal,
  });
  return path;
}
