import { relative, sep } from "node:path";
import { watch } from "chokidar";
import { insideOf } from "./module-records.ts";

export interface SourceWatch {
  /** Watches a module of the operator that is outside the folders, in a linked package. */
  add(path: string): void;
  close(): Promise<void>;
}

/**
 * Reports saves in the folders, except in node_modules, dist and names that begin with a dot. Resolves when
 * no later save can be missed.
 */
export async function watchSources(
  paths: readonly string[],
  { onSave, say }: { onSave(path: string): void; say(line: string): void },
): Promise<SourceWatch> {
  const isInside = insideOf(paths);
  function isIgnored(path: string): boolean {
    const folder = paths.find((each) => path.startsWith(each + sep));
    return folder !== undefined && relative(folder, path).split(sep).some(isIgnoredName);
  }
  const watcher = watch([...paths], { ignoreInitial: true, ignored: isIgnored });
  watcher.on("all", (event, path) => {
    if (event === "add" || event === "change" || event === "unlink") onSave(path);
  });
  const ready = Promise.withResolvers<void>();
  watcher.once("ready", () => ready.resolve());
  watcher.once("error", ready.reject);
  await ready.promise;
  // The operator keeps running, and Enter restarts it.
  watcher.on("error", (error) =>
    say(`some files are not watched: ${error instanceof Error ? error.message : error}`),
  );
  return {
    add(path) {
      if (!isInside(path) && !path.includes(`${sep}node_modules${sep}`)) watcher.add(path);
    },
    close: () => watcher.close(),
  };
}

const isIgnoredName = (name: string) => name === "node_modules" || name === "dist" || name.startsWith(".");
