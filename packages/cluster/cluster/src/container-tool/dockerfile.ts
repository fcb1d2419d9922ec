import { DockerfileParser } from "dockerfile-ast";

/** One instruction of a Dockerfile. */
export interface Instruction {
  /** Upper case: `COPY`. */
  readonly keyword: string;
  /** From 1. */
  readonly line: number;
  /** What follows the keyword and its flags; lines that were continued are one. */
  readonly text: string;
  /** The words of the JSON form, where it is used. */
  readonly json: readonly string[] | undefined;
  /** `--from=build` is ["from", "build"]. */
  readonly flags: ReadonlyMap<string, string>;
  readonly hasHeredoc: boolean;
}

/** A Dockerfile that cannot be honoured: `Dockerfile:7: …`, with the way out. */
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

/** What dockerfile-ast has on the instructions that take flags, without a type that says so. */
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
    // Docker takes what is no JSON for the shell form.
    return undefined;
  }
}
