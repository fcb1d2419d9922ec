import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { runOperatorSdk } from "../command/program.ts";
import type { Prompts } from "../command/surroundings.ts";

interface RunOptions {
  prompts?: Prompts;
  checkout?: string;
  env?: Readonly<Record<string, string | undefined>>;
}

/** Creates a temporary folder with the name memcached-operator, in which a test can run commands. */
export function openFolder(name = "memcached-operator") {
  const parent = mkdtempSync(join(tmpdir(), "operator-sdk-test-"));
  const cwd = join(parent, name);
  mkdirSync(cwd);
  async function run(line: string | readonly string[], { prompts, checkout, env }: RunOptions = {}) {
    let [stdout, stderr] = ["", ""];
    const code = await runOperatorSdk(typeof line === "string" ? line.split(" ") : line, {
      cwd,
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      ...(prompts && { prompts }),
      ...(checkout !== undefined && { checkout }),
      ...(env && { env }),
    });
    return { code, stdout, stderr };
  }
  return {
    cwd,
    run,
    /** Runs a command, expects one line on stderr and no change of a file or folder, and returns the line. */
    async rejected(line: string | readonly string[], options?: RunOptions): Promise<string> {
      const before = traces(parent);
      const { code, stderr } = await run(line, options);
      expect({ code, lines: stderr.split("\n").length, stderr }).toMatchObject({ code: 1, lines: 2 });
      expect(stderr).toMatch(/^Error: /);
      expect(traces(parent)).toEqual(before);
      return stderr.trimEnd();
    },
    read: (path: string) => readFileSync(join(cwd, path), "utf8"),
    /** Returns the text of every file. */
    files(): Record<string, string> {
      const found = readdirSync(cwd, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
      return Object.fromEntries(
        found.map((file) => [file.slice(cwd.length + 1).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
      );
    },
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
  };
}

/** Returns the mode, modification time and content of every file, folder and link, to detect any write. */
export function traces(folder: string): Record<string, unknown> {
  const entries = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()].map((path) => {
    const file = join(folder, path);
    const { mode, mtimeNs } = lstatSync(file, { bigint: true });
    const text =
      (mode & 0o170000n) === 0o100000n && (mode & 0o400n) !== 0n ? readFileSync(file, "latin1") : "";
    const target = (mode & 0o170000n) === 0o120000n ? readlinkSync(file) : "";
    return [path, { mode, mtimeNs, text, target }];
  });
  return Object.fromEntries(entries);
}

export const initLine = "init --domain example.com --repo github.com/example/memcached-operator";
export const apiLine = "create api --group cache --version v1alpha1 --kind Memcached --resource --controller";
