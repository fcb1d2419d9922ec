import { type ChildProcess, execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A check of the types beside the operator, which Node runs without looking at them. */
export interface TypeCheck {
  /** Checks the present files. A check that still runs is given up, because it has read older ones. */
  begin(): void;
  close(): void;
}

/** More errors than these would hide the operator's own output. */
const shown = 3;

/**
 * Creates a check with the project's own compiler. A project without TypeScript or without a tsconfig.json has
 * none.
 *
 * @param folder the project's folder, with its package.json
 * @param say receives each type error, and whether the types are right again
 */
export function createTypeCheck(folder: string, say: (line: string) => void): TypeCheck {
  const compiler = compilerOf(folder);
  let running: ChildProcess | undefined;
  let wasWrong = false;

  function report(output: string): void {
    const errors = output.split("\n").filter((line) => /\berror TS\d+: /.test(line));
    if (errors.length === 0 && wasWrong) say("the types are right again");
    wasWrong = errors.length > 0;
    for (const error of errors.slice(0, shown)) say(readable(error));
    if (errors.length > shown) say(`${errors.length - shown} more type errors: npx tsc shows them`);
  }

  function close(): void {
    running?.kill();
    running = undefined;
  }

  return {
    close,
    begin() {
      close();
      if (compiler === undefined) return;
      const args = [compiler, "--noEmit", "--pretty", "false"];
      const child = execFile(process.execPath, args, { cwd: folder }, (_, output) => {
        if (running === child) report(output);
      });
      running = child;
    },
  };
}

function compilerOf(folder: string): string | undefined {
  if (!existsSync(join(folder, "tsconfig.json"))) return undefined;
  try {
    return join(createRequire(join(folder, "package.json")).resolve("typescript/package.json"), "../bin/tsc");
  } catch {
    return undefined;
  }
}

/** `src/main.ts(3,7): error TS2551: Property …` as `type error at src/main.ts:3:7: Property … (TS2551)`. */
function readable(line: string): string {
  return line.replace(
    /^(?:(.*)\((\d+),(\d+)\): )?error (TS\d+): (.*?)\r?$/,
    (_, file, row, column, code, message) =>
      `type error${file ? ` at ${file}:${row}:${column}` : ""}: ${message} (${code})`,
  );
}
