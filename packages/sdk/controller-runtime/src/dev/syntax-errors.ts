import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

/** TypeScript without JSX: what Node's own parser reads. */
const readable = /\.[cm]?ts$/;

/** What keeps a file from being loaded, as `file:line` and the line; undefined when nothing is seen that does. */
export function syntaxErrorOf(path: string, name: string): string | undefined {
  if (!readable.test(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // Deleted: the operator says what it misses.
    return undefined;
  }
  try {
    withoutWarnings(() => stripTypeScriptTypes(text, { sourceUrl: name }));
    return undefined;
  } catch (error) {
    // Anything else (an enum) is right for who transforms it.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_INVALID_TYPESCRIPT_SYNTAX")
      return undefined;
    const [where = ""] = (error.stack ?? "").split("\n\n");
    return `${error.message} at ${where}`;
  }
}

/** Node says of each of its functions that is still an experiment that it is one. */
function withoutWarnings(call: () => void): void {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    call();
  } finally {
    process.emitWarning = emitWarning;
  }
}
