import type { NotebookPage } from "../protocol.ts";
import { strings } from "./strings.ts";

type Happened = NotebookPage["entries"][number]["happened"][number];

/** Returns actions with their output as a terminal shows them. Only a command follows the shell's prompt. */
export function happenedLines(happened: readonly Happened[]): string {
  return happened
    .flatMap(({ kind, text, output }) => [typedLine(kind, text), output])
    .filter((line) => line !== "")
    .join("\n");
}

function typedLine(kind: Happened["kind"], text: string): string {
  switch (kind) {
    case "command":
      return `$ ${text}`;
    case "typed":
      return text;
    case "output":
      return "";
    default:
      return strings.keys[kind];
  }
}
