import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Applies a diff to a file with `patch -p1`, without fuzz, as a reader does in the project's folder. Returns the
 * new text. Throws an Error with the output if `patch` rejects the diff, or finds a hunk at another line.
 */
export function applyWithPatch(path: string, text: string, diff: string): string {
  return applyIn(path, text, (cwd) => {
    const said = execFileSync("patch", ["-p1", "--fuzz=0"], { cwd, input: diff, encoding: "utf8" });
    if (said.trim() !== `patching file ${path}`) throw new Error(`patch says: ${said}`);
  });
}

/** Does the same with `git apply`. */
export function applyWithGit(path: string, text: string, diff: string): string {
  return applyIn(path, text, (cwd) => {
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) };
    execFileSync("git", ["apply", "--whitespace=nowarn"], { cwd, env, input: diff, encoding: "utf8" });
  });
}

function applyIn(path: string, text: string, apply: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "operator-path-apply-"));
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    apply(folder);
    return readFileSync(join(folder, path), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
