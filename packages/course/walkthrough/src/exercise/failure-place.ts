import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a project. */
export interface FilePlace {
  /** Path relative to the project, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Returns the innermost call of a stack that is in the project's own code, outside of the test and of
 * packages. Undefined without one.
 *
 * @param test path of the test, relative to the project
 */
export function placeInStack(stack: string, project: string, test: string): FilePlace | undefined {
  const folder = realpathSync(project);
  for (const [, frame = "", line] of stack.matchAll(
    /^\s+at (?:.*\()?((?:file:\/\/)?\/.*?):(\d+):\d+\)?$/gm,
  )) {
    const path = frame.startsWith("file:") ? fileURLToPath(frame) : frame;
    const file = relative(folder, path).split(sep).join("/");
    if (!file.startsWith("../") && !file.includes("node_modules/") && file !== test)
      return { file, line: Number(line) };
  }
  return undefined;
}

/**
 * Returns the path of the first key that a diff of two objects changes: `spec.replicas`. Undefined for a diff
 * of other values.
 */
export function firstChangedKey(diff: string): string | undefined {
  const open: { key: string; indent: number }[] = [];
  for (const line of diff.split("\n")) {
    const match = /^([-+ ]) (\s*)(?:["']?([^\s"':]+)["']?:(?:\s|$))?/.exec(line);
    // Headings such as `- Expected` and `+ actual - expected` have no indented key below them.
    if (!match || /^[-+] (?:Expected|Received|actual|expected)\b/.test(line)) continue;
    const [, sign, indent = "", key] = match;
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    if (key !== undefined) open.push({ key, indent: indent.length });
    if (sign !== " " && open.length > 0) return open.map((one) => one.key).join(".");
  }
  return undefined;
}
