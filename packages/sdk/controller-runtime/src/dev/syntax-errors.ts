import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

/** TypeScript without JSX, which Node's own parser reads. */
const readable = /\.[cm]?ts$/;

/** Returns the syntax error of a file, as `file:line` and the line, or undefined if it has none. */
export function syntaxErrorOf(path: string, name: string): string | undefined {
  if (!readable.test(path)) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // The file was deleted: the operator reports the missing import.
    return undefined;
  }
  try {
    withoutWarnings(() => stripTypeScriptTypes(text, { sourceUrl: name }));
    return undefined;
  } catch (error) {
    // Other errors (an enum) concern code that tsx can transform.
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_INVALID_TYPESCRIPT_SYNTAX")
      return undefined;
    const [where = ""] = (error.stack ?? "").split("\n\n");
    return `${error.message} at ${where}`;
  }
}

/** Suppresses Node's warnings about experimental functions. */
function withoutWarnings(call: () => void): void {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    call();
  } finally {
    process.emitWarning = emitWarning;
  }
}
