import { posix } from "node:path";

/** How a module in `folder` names another file of the project. */
export function relativeImport(folder: string, file: string): string {
  const relative = posix.relative(folder, file);
  return relative.startsWith(".") ? relative : `./${relative}`;
}
