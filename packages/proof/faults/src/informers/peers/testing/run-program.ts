import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Ended {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs a program of this folder on the Node of the tests, until it ends. */
export function runProgram(name: string, ...args: string[]): Promise<Ended> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=@operator-path/source", file, ...args],
      (error, stdout, stderr) =>
        resolve({
          exitCode: typeof error?.code === "number" ? error.code : error ? -1 : 0,
          output: stdout + stderr,
        }),
    );
  });
}
