import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the checkout that contains this file, or undefined if the file is in an installed package. */
export function findCheckout(from = import.meta.dirname): string | undefined {
  if (from.split(/[\\/]/).includes("node_modules")) return undefined;
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  }
  return undefined;
}
