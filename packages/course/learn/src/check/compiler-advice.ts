import { localImportsOf } from "./imports.ts";

/** A mistake that the compiler reports, or that `check` finds beside it. */
export interface CompilerError {
  /** Path relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The compiler's words: `error TS2551: Property 'listr' does not exist …`, and the messages related to them. */
  readonly message: string;
}

/**
 * Returns a compiler's message with what to do in a course project, where Node runs the .ts files themselves.
 *
 * @param line the line of the source that the error is in
 */
export function withAdvice(message: string, line: string): string {
  // The compiler knows no program that runs .ts files, and suggests the name that it would give its output.
  if (message.startsWith("error TS2835:"))
    return message.replace(/Did you mean '(.*)\.js'\?/, "Write '$1.ts': Node runs the .ts files themselves.");
  if (message.startsWith("error TS2488:") && /\[\s*\w+\s*,\s*_?err\w*\s*\]\s*=/i.test(line))
    return `${message} Calls here return only their value, and throw their errors: remove the brackets and \`err\`, and use try and catch for an error that you expect.`;
  if (isWriteToFrozen(message, line))
    return `${message} If the object comes from a cache, all readers share it, and it is frozen. Change a copy, with its type written out: \`const draft: Pod = structuredClone(pod)\` (DeepCopy in Go).`;
  return message;
}

/** Reports whether the error may be a write to an object of a cache, whose type is read-only at any depth. */
function isWriteToFrozen(message: string, line: string): boolean {
  if (/^error TS(?:2540|2542|2704):/.test(message)) return true;
  return (
    message.startsWith("error TS2349:") &&
    /\.(?:push|pop|shift|unshift|splice|sort|reverse|fill)\(/.test(line)
  );
}

/** Returns an error for each import of `./file.js` where only `file.ts` exists. The compiler accepts them. */
export function jsImportsOf(files: ReadonlyMap<string, string>): CompilerError[] {
  return [...files].flatMap(([file, text]) => {
    if (!/\.[cm]?tsx?$/.test(file)) return [];
    return localImportsOf(file, text).flatMap(({ request, path, offset }) => {
      if (!path.endsWith(".js") || files.has(path) || !files.has(path.replace(/\.js$/, ".ts"))) return [];
      const before = text.slice(0, offset).split("\n");
      const message = `there is no ${path}. Write '${request.replace(/\.js$/, ".ts")}': Node runs the .ts files themselves.`;
      return [{ file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }];
    });
  });
}
