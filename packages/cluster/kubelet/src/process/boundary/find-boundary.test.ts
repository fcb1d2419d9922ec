import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import type { Mount } from "./boundary.ts";
import { type FenceChoice, type FoundBoundary, findBoundary } from "./find-boundary.ts";
import { findProgram, librariesOf } from "./mounts.ts";
import { startProcess } from "./start-process.ts";

it("finds no boundary for the choice node, and reports why", async () => {
  const { boundary, report } = await findBoundary("node");
  expect(boundary).toBeUndefined();
  expect(report).toMatchObject({ kind: "node", reason: expect.stringContaining("OPERATOR_PATH_FENCE") });
});

/** Returns undefined if this machine does not offer that boundary, after checking the error. */
async function offered(choice: FenceChoice): Promise<FoundBoundary | undefined> {
  try {
    return await findBoundary(choice);
  } catch (error) {
    expect((error as Error).message).toMatch(
      /^OPERATOR_PATH_FENCE=\w+ does not work on this machine \(.+\): /,
    );
    return undefined;
  }
}

it("rejects a boundary that does not work here, and falls back only for the choice best", async () => {
  vi.spyOn(process, "platform", "get").mockReturnValue("darwin");
  try {
    await expect(findBoundary("bubblewrap")).rejects.toThrow(
      "OPERATOR_PATH_FENCE=bubblewrap does not work on this machine (no boundary is supported on darwin yet)",
    );
    await expect(findBoundary("namespaces")).rejects.toThrow("OPERATOR_PATH_FENCE=best");
    expect((await findBoundary("best")).report.kind).toBe("node");
  } finally {
    vi.restoreAllMocks();
  }
});

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "hides this machine's files, and passes environment, output and signals: %s",
  async (choice) => {
    const { boundary, mounts } = (await offered(choice)) ?? {};
    if (boundary === undefined || mounts === undefined) return;
    const env = { PLAIN: `it's "a" \\n\n$HOME`, "with.dot": "b", UID: "7", BASH_ENV: "/x" };
    const program = `process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000);
      console.log(JSON.stringify([process.env, fs.existsSync(${JSON.stringify(import.meta.filename)}), process.pid < 100]));`;
    const { child, signal, ending } = startProcess(
      boundary,
      { file: process.execPath, argv0: "node", args: ["-e", program], cwd: "/", env, mounts },
      ["ignore", "pipe", "pipe"],
    );
    const errors = text(child.stderr as Readable);
    const [line] = await once(child.stdout as Readable, "data");
    const [{ PWD: _, ...seen }, isVisible, isSmall] = JSON.parse(String(line));
    expect([seen, isVisible, isSmall]).toEqual([env, false, true]);
    signal("SIGTERM");
    const [code, by] = await once(child, "exit");
    expect(ending(code, by)).toEqual({ code: 3, signal: null });
    expect(await errors).toBe("");
  },
);

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "mounts folders of a nosuid, nodev and noexec file system read-only: %s",
  async (choice) => {
    if ((await offered(choice)) === undefined) return;
    const folder = mkdtempSync(join(tmpdir(), "flags-"));
    const program = `import { findBoundary } from ${JSON.stringify(join(import.meta.dirname, "find-boundary.ts"))};
      console.log(JSON.stringify((await findBoundary("${choice}", ${JSON.stringify(folder)})).report));`;
    const script = 'mount -t tmpfs -o nosuid,nodev,noexec,noatime none "$1" && shift && exec "$@"';
    const words = [process.execPath, "--no-warnings", "--input-type=module", "-e", program];
    try {
      // The user namespace of the boundary is below this one, so the kernel locks the flags.
      const args = ["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder, ...words];
      const output = execFileSync("unshare", args, { encoding: "utf8" });
      expect(JSON.parse(output)).toEqual({ kind: choice });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "hides the programs in the folder of this machine's Node: %s",
  async (choice) => {
    if ((await offered(choice)) === undefined) return;
    const folder = mkdtempSync(join(tmpdir(), "bin-"));
    const node = join(folder, "node");
    copyFileSync(process.execPath, node);
    copyFileSync("/bin/true", join(folder, "neighbour"));
    const url = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    const program = `import { findBoundary } from ${url("find-boundary.ts")};
      import { startProcess } from ${url("start-process.ts")};
      const { boundary, mounts } = await findBoundary("${choice}");
      const list = "console.log(fs.readdirSync(path.dirname(process.execPath)).join())";
      const inside = { file: process.execPath, argv0: "node", args: ["-e", list], cwd: "/", env: {}, mounts };
      startProcess(boundary, inside, ["ignore", "inherit", "inherit"]);`;
    try {
      const words = ["--no-warnings", "--input-type=module", "-e", program];
      expect(execFileSync(node, words, { encoding: "utf8" })).toBe("node\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "signals a program whose file was replaced after its start: %s",
  async (choice) => {
    const { boundary, mounts = [] } = (await offered(choice)) ?? {};
    if (boundary === undefined) return;
    const folder = mkdtempSync(join(tmpdir(), "replaced-"));
    const file = join(folder, "node");
    copyFileSync(process.execPath, file);
    try {
      const program =
        'process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1000); console.log("ready")';
      const { child, signal } = startProcess(
        boundary,
        {
          file,
          argv0: "node",
          args: ["-e", program],
          cwd: "/",
          env: {},
          mounts: [...mounts, { path: folder }],
        },
        ["ignore", "pipe", "ignore"],
      );
      await once(child.stdout as Readable, "data");
      copyFileSync("/bin/true", join(folder, "new"));
      renameSync(join(folder, "new"), file);
      signal("SIGTERM");
      expect(await once(child, "exit")).toEqual([3, null]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/**
 * Runs a program inside the boundary.
 * @returns the JSON that it printed
 */
async function runInside(found: FoundBoundary, mounts: readonly Mount[], program: string): Promise<unknown> {
  const { child } = startProcess(
    found.boundary,
    {
      file: process.execPath,
      argv0: "node",
      args: ["-e", program],
      cwd: "/",
      env: {},
      mounts: [...found.mounts, ...mounts],
    },
    ["ignore", "pipe", "pipe"],
  );
  const [output, errors] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  expect(errors).toBe("");
  return JSON.parse(output);
}

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "limits the memory of files inside it: %s",
  async (choice) => {
    const found = await offered(choice);
    if (found === undefined) return;
    const program = `const write = (path) => { try { fs.writeFileSync(path, "x"); return true; } catch (error) { if (error.code === "EROFS" || error.code === "ENOENT") return false; throw error; } };
      const bytes = (path) => { const { blocks, bsize } = fs.statfsSync(path); return blocks * bsize; };
      fs.writeFileSync("/dev/null", "x");
      console.log(JSON.stringify(["/", "/etc", "/dev", "/dev/shm", "/tmp"].filter((path) => write(path + "/file")).map((path) => [path, bytes(path)])));`;
    const writable = (await runInside(found, [], program)) as [string, number][];
    expect(writable.map(([path]) => path)).toContain("/tmp");
    expect(writable.filter(([, bytes]) => bytes > 64 << 20)).toEqual([]);
  },
);

it.each<FenceChoice>(["bubblewrap", "namespaces"])(
  "lets its programs create no user namespaces, which would give them capabilities: %s",
  async (choice) => {
    const found = await offered(choice);
    if (found === undefined) return;
    const unshare = await findProgram("unshare");
    const mounts = [unshare, ...(await librariesOf(unshare))].map((path) => ({ path }));
    const words = JSON.stringify(["--user", process.execPath, "-p", "'nested'"]);
    const program = `const { stdout, stderr } = child_process.spawnSync(${JSON.stringify(unshare)}, ${words}, { encoding: "utf8" });
      console.log(JSON.stringify([stdout, stderr]));`;
    expect(await runInside(found, mounts, program)).toEqual(["", expect.stringMatching(/unshare failed/)]);
  },
);
