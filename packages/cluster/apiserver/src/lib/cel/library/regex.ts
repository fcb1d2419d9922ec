import type { RE2JS } from "re2js";
import { compilePattern } from "../../formats/patterns.ts";
import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, int, listOf, string } from "../types.ts";
import { CelList, type CelValue } from "../values.ts";

/**
 * Compiles with RE2, whose time is proportional to the text for every pattern. So no expression can block the
 * server.
 */
function compile(pattern: string): RE2JS {
  try {
    return compilePattern(pattern);
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Returns whether a text is a valid RE2 pattern. */
export function isRegex(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

/** `matches`, which searches anywhere in the text, and `find` and `findAll` of Kubernetes. */
export const regexes: Library = {
  matches: [
    global([string, string], bool, matches, matchCost),
    member([string, string], bool, matches, matchCost),
  ],
  find: [
    member(
      [string, string],
      string,
      (text: string, pattern: string) => {
        const matcher = compile(pattern).matcher(text);
        return matcher.find() ? (matcher.group() ?? "") : "";
      },
      findCost,
    ),
  ],
  findAll: [
    member(
      [string, string],
      listOf(string),
      (text: string, pattern: string) => findAll(compile(pattern), text, -1n),
      findCost,
    ),
    member(
      [string, string, int],
      listOf(string),
      (text: string, pattern: string, count: bigint) => findAll(compile(pattern), text, count),
      findCost,
    ),
  ],
};

function matches(text: string, pattern: string): boolean {
  return compile(pattern).matcher(text).find();
}

function findAll(pattern: RE2JS, text: string, count: bigint): CelList {
  const matcher = pattern.matcher(text);
  const found: string[] = [];
  while ((count < 0n || found.length < count) && matcher.find()) found.push(matcher.group() ?? "");
  return CelList.of(found);
}

/** Returns the cost. Like cel-go, assumes one step per four characters of the pattern. */
function matchCost([text, pattern]: readonly CelValue[]): number {
  return traversal(1 + sizeOf(text as CelValue)) * Math.ceil(sizeOf(pattern as CelValue) * 0.25);
}

function findCost(args: readonly CelValue[]): number {
  return matchCost(args);
}
