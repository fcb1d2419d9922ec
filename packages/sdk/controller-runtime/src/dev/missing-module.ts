import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Adds to Node's error for a missing module that a TypeScript file of this name exists, if it does: Node runs
 * .ts files, and finds them by their full name only.
 *
 * @param specifier the import as the source has it
 * @param parentURL the URL of the importing module
 */
export function withTypeScriptName(
  error: unknown,
  specifier: string,
  parentURL: string | undefined,
): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") return error;
  if (!/^\.\.?\//.test(specifier) || !parentURL?.startsWith("file:")) return error;
  const name = `${specifier.replace(/\.js$/, "")}.ts`;
  if (!existsSync(fileURLToPath(new URL(name, parentURL)))) return error;
  const advice = `. In ${fileURLToPath(parentURL)}, write "${name}": Node runs the .ts file itself`;
  // The stack contains the message, and is what Node prints.
  const stack = error.stack?.replace(error.message, error.message + advice);
  error.message += advice;
  if (stack !== undefined) error.stack = stack;
  return error;
}
