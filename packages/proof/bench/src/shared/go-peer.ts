import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { executablesOnPath, userDirectories } from "@operator-path/tools";

export interface BuildGoOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Resolves to the program of `peers/NAME`, or to the reason why it is missing. Builds it once per state of
 * its source.
 */
export async function buildGoPeer(
  name: "client-go" | "controller-runtime",
  { env, print, signal }: BuildGoOptions,
): Promise<{ program: string } | { missing: string }> {
  const folder = fileURLToPath(new URL(`../../peers/${name}`, import.meta.url));
  const [go] = await executablesOnPath("go", env);
  if (go === undefined) return { missing: `Go's ${name}: not measured, since there is no \`go\` on PATH` };
  const target = join(userDirectories(env).cache, "tools", `bench-${name}-${await fingerprint(folder)}`);
  try {
    await access(target);
    return { program: target };
  } catch {
    print(`building peers/${name} (minutes, the first time)`);
  }
  await mkdir(join(target, ".."), { recursive: true });
  // Renames the finished program, so that its name never stands for half a program.
  const unfinished = `${target}.${process.pid}`;
  try {
    await promisify(execFile)(go, ["build", "-trimpath", "-o", unfinished, "."], {
      cwd: folder,
      env,
      signal,
    });
    await rename(unfinished, target);
    return { program: target };
  } catch (error) {
    signal.throwIfAborted();
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").slice(-3).join("; ");
    return { missing: `Go's ${name}: not measured, since go build failed: ${said || error}` };
  }
}

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await readdir(folder)).sort())
    hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest("hex").slice(0, 12);
}
