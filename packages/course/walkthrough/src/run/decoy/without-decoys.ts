import type { Terminal } from "../../terminal/terminal.ts";
import { decoyNamespace } from "./decoy.ts";

/** A terminal in which the decoys cannot be seen: lines that name their namespace are left out of what is printed. */
export function withoutDecoys(terminal: Terminal): Terminal {
  return {
    ...terminal,
    lines: () => terminal.lines().filter((line) => !line.includes(decoyNamespace)),
  };
}
