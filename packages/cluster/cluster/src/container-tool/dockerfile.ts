import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import * as dockerignoreModule from "@balena/dockerignore";
import { DockerfileParser } from "dockerfile-ast";
import { UserError } from "../user-error.ts";

/** One instruction of a Dockerfile. */
export interface Instruction {
  /** In upper case: `COPY`. */
  readonly keyword: string;
  /** Starts at 1. */
  readonly line: number;
  /** The text after the keyword and its flags, with continued lines joined. */
  readonly text: string;
  /** The words of the JSON form, if used. */
  readonly json: readonly string[] | undefined;
  /** `--from=build` is ["from", "build"]. */
  readonly flags: ReadonlyMap<string, string>;
  readonly hasHeredoc: boolean;
}

/** An unsupported or invalid Dockerfile. The message is `Dockerfile:7: …`, with what to do. */
export class DockerfileError extends Error {
  override readonly name = "DockerfileError";
}

export function parseDockerfile(text: string): Instruction[] {
  return DockerfileParser.parse(text)
    .getInstructions()
    .map((instruction) => {
      const content = (instruction.getArgumentsContent() ?? "").trim();
      const flags = "getFlags" in instruction ? (instruction as unknown as Flagged).getFlags() : [];
      const heredocs = "getHeredocs" in instruction ? (instruction as unknown as Flagged).getHeredocs() : [];
      return {
        keyword: instruction.getKeyword(),
        line: instruction.getRange().start.line + 1,
        text: content,
        json: jsonWords(content),
        flags: new Map(flags.map((flag) => [flag.getName().toLowerCase(), flag.getValue() ?? ""])),
        hasHeredoc: heredocs.length > 0,
      };
    });
}

/** The methods that dockerfile-ast has on instructions with flags. Its types do not declare them. */
interface Flagged {
  getFlags(): { getName(): string; getValue(): string | null }[];
  getHeredocs(): unknown[];
}

function jsonWords(text: string): string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : undefined;
  } catch {
    // Like Docker, treat invalid JSON as the shell form.
    return undefined;
  }
}

/**
 * Returns the instructions of the stages up to the target, without unused stages: a stage for other tools may
 * use any image.
 */
export function wantedInstructions(all: readonly Instruction[], target: string | undefined): Instruction[] {
  const head: Instruction[] = [];
  const stages: Instruction[][] = [];
  for (const instruction of all) {
    if (instruction.keyword === "FROM") stages.push([instruction]);
    else (stages.at(-1) ?? head).push(instruction);
  }
  const names = stages.map(([first]) => /\sAS\s+(\S+)\s*$/i.exec(first?.text ?? "")?.[1]?.toLowerCase());
  const find = (name: string) => {
    const named = names.lastIndexOf(name.toLowerCase());
    return named >= 0 ? named : /^\d+$/.test(name) && Number(name) < stages.length ? Number(name) : -1;
  };
  const last = target === undefined ? stages.length - 1 : find(target);
  if (target !== undefined && last < 0)
    throw new Error(
      `there is no stage ${target}: --target must be one of ${names.filter(Boolean).join(", ") || "none"}`,
    );
  const needed = new Set<number>();
  const need = (index: number) => {
    if (index < 0 || needed.has(index)) return;
    needed.add(index);
    for (const { keyword, text, flags } of stages[index] ?? []) {
      if (keyword === "FROM") need(find(text.split(/\s/)[0] ?? ""));
      if (keyword === "COPY" && flags.has("from")) need(find(flags.get("from") ?? ""));
    }
  };
  need(last);
  // A skipped stage still counts: `--from=1` is the second one.
  return [
    ...head,
    ...stages.slice(0, last + 1).flatMap((stage, i) => (needed.has(i) ? stage : [skippedStage(stage)])),
  ];
}

function skippedStage([first]: readonly Instruction[]): Instruction {
  return { ...(first as Instruction), flags: new Map([["skipped", ""]]) };
}

/** Returns the absolute path of a Dockerfile. Like docker, looks in the context unless `-f` is given. */
export function dockerfilePath(context: string, file: string | undefined): string {
  return file === undefined ? join(context, "Dockerfile") : resolve(file);
}

/** Returns the .dockerignore of a Dockerfile: `<its name>.dockerignore` beside it, else the context's. */
export function dockerignorePath(context: string, dockerfile: string): string | undefined {
  return [`${dockerfile}.dockerignore`, join(context, ".dockerignore")].find((path) => existsSync(path));
}

/** Each wildcard multiplies the cost of a match. Real patterns have far fewer. */
const maxWildcards = 10;

/**
 * Reads a .dockerignore.
 *
 * @param shown the file's name in errors
 * @returns whether a path of the project, `a/b`, is excluded
 * @throws UserError with the line of a pattern that has too many wildcards
 */
export function readIgnoreFile(text: string, shown: string): (path: string) => boolean {
  const patterns = text.split("\n").map((line, i) => {
    // `**/**/` matches the same as `**/`, and takes exponentially longer.
    const short = line.replace(/(?:\*\*\/)+/g, "**/");
    const count = short.match(/\*+|\?/g)?.length ?? 0;
    if (count > maxWildcards && !short.trimStart().startsWith("#"))
      throw new UserError(`${shown}:${i + 1}: ${count} wildcards in one pattern (at most ${maxWildcards})`);
    return short;
  });
  // The package is CommonJS, but its types declare an ES module.
  const dockerignore = dockerignoreModule.default as unknown as typeof dockerignoreModule.default.default;
  const ignore = dockerignore({ ignorecase: false }).add(patterns.join("\n"));
  return (path) => path !== "" && ignore.ignores(path);
}
