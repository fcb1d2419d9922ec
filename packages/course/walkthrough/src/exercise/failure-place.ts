import { readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a project. */
export interface FilePlace {
  /** Path relative to the project, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The line of a test whose assertion failed. */
export interface FailedLine extends FilePlace {
  readonly text: string;
}

/** Where a test failed, as far as its stack shows it. */
export interface FailurePlaces {
  /** Where the project's own code failed: the innermost call outside of the test and of packages. */
  readonly place?: FilePlace;
  /** The innermost line of the test. */
  readonly line?: FailedLine;
}

/** @param test path of the test, relative to the project */
export function placesInStack(stack: string, project: string, test: string): FailurePlaces {
  const calls = callsIn(stack, project);
  const place = calls.find(({ file }) => file !== test);
  const own = calls.find(({ file }) => file === test);
  const text = own && readFileSync(join(project, test), "utf8").split("\n")[own.line - 1]?.trim();
  return { ...(place && { place }), ...(text && { line: { ...own, text } }) };
}

/** Returns the calls of a stack that are in the project's own code, the innermost first. */
function callsIn(stack: string, project: string): FilePlace[] {
  const folder = realpathSync(project);
  const calls: FilePlace[] = [];
  for (const [, frame = "", line] of stack.matchAll(
    /^\s+at (?:.*\()?((?:file:\/\/)?\/.*?):(\d+):\d+\)?$/gm,
  )) {
    const path = frame.startsWith("file:") ? fileURLToPath(frame) : frame;
    const file = relative(folder, path).split(sep).join("/");
    if (!file.startsWith("../") && !file.includes("node_modules/")) calls.push({ file, line: Number(line) });
  }
  return calls;
}

/** What a test compares, as its runner shows it. */
export interface ComparedValues {
  readonly expected: string;
  readonly received: string;
}

/** A key in which two objects differ. */
export interface ChangedKey {
  /** Its path: `spec.replicas`. */
  readonly key: string;
  /** Its values, if both are on the key's own line of the diff. */
  readonly values?: ComparedValues;
  /** Whether only what was received has it. */
  readonly isExtra?: true;
}

/** Returns the first key that a diff of two objects changes. Undefined for a diff of other values. */
export function firstChange(diff: string): ChangedKey | undefined {
  const key = firstChangedKey(diff);
  // An object where nothing was expected: none of its keys is what is wrong.
  if (key === undefined || /^- (?:\[\]|null|undefined|Array \[\])$/m.test(diff)) return undefined;
  const name = key.split(".").at(-1) ?? key;
  const shownAs = (sign: "-" | "+"): string | undefined =>
    diff
      .split("\n")
      .filter((line) => line.startsWith(`${sign} `))
      .map((line) => /^. \s+(["']?)([^\s"':]+)\1: (.*?),?$/.exec(line))
      .find((match) => match?.[2] === name)?.[3];
  const [expected, received] = [shownAs("-"), shownAs("+")];
  const areValues = [expected, received].every((value) => value !== undefined && !/[[{]$/.test(value));
  if (expected === undefined && received !== undefined) return { key, isExtra: true };
  return { key, ...(areValues && { values: { expected: expected ?? "", received: received ?? "" } }) };
}

/** Returns the values that a message of Node's assert or vitest compares, if each is on one line. */
export function comparedIn(message: string): ComparedValues | undefined {
  const vitest = /^Expected: (.+)\nReceived: (.+)$|^- Expected\n\+ Received\n\n- (.+)\n\+ (.+)$/m.exec(
    message,
  );
  const node = /^Assertion\w+: Expected values to be \S+ (?:equal|deep-equal):\n\n(.+) !== (.+)$/.exec(
    message,
  );
  const [expected, received] = vitest
    ? [vitest[1] ?? vitest[3], vitest[2] ?? vitest[4]]
    : [node?.[2], node?.[1]];
  return expected === undefined || received === undefined ? undefined : { expected, received };
}

/**
 * Returns the path of the first key that a diff of two objects changes: `spec.replicas`. Undefined for a diff
 * of other values.
 */
function firstChangedKey(diff: string): string | undefined {
  const open: { key: string; indent: number }[] = [];
  for (const line of diff.split("\n")) {
    const match = /^([-+ ]) (\s*)(?:(["']?)([^\s"':]+)\3:(?:\s|$))?/.exec(line);
    // Headings such as `- Expected` and `+ actual - expected` have no indented key below them.
    if (!match || /^[-+] (?:Expected|Received|actual|expected)\b/.test(line)) continue;
    const [, sign, indent = "", , key] = match;
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    if (key !== undefined) open.push({ key, indent: indent.length });
    if (sign !== " " && open.length > 0) return open.map((one) => one.key).join(".");
  }
  return undefined;
}
