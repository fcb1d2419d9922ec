// Folders that a command does not expect. It names the file or folder that is in its way, and changes nothing
// outside the project.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { apiLine, initLine, openFolder, traces } from "../testing/scaffolds.ts";

async function openProjectFolder() {
  const folder = openFolder();
  await folder.run(initLine);
  return folder;
}

test.each([
  ["config/rbac", "folder"],
  ["src", "folder"],
  ["src/main.ts", "file"],
  ["PROJECT", "file"],
])("rejects %s that is a link to outside the project", async (path, what) => {
  using folder = await openProjectFolder();
  const elsewhere = join(dirname(folder.cwd), "elsewhere");
  renameSync(join(folder.cwd, path), elsewhere);
  symlinkSync(elsewhere, join(folder.cwd, path));
  expect(await folder.rejected(apiLine)).toBe(
    `Error: ${path} is a link that leads out of the project: put the ${what} itself there; nothing was written`,
  );
});

test.each(["api", "controllers", "config/samples", "api/v1alpha1"])(
  "rejects %s that is a link to an empty folder outside the project",
  async (path) => {
    using folder = await openProjectFolder();
    mkdirSync(join(folder.cwd, "../elsewhere"));
    mkdirSync(dirname(join(folder.cwd, path)), { recursive: true });
    symlinkSync(join(folder.cwd, "../elsewhere"), join(folder.cwd, path));
    expect(await folder.rejected(apiLine)).toContain(`${path} is a link that leads out of the project`);
  },
);

test("accepts a link to a folder of the project, but not to a file", async () => {
  using folder = await openProjectFolder();
  mkdirSync(join(folder.cwd, "hidden"));
  symlinkSync("hidden", join(folder.cwd, "api"));
  expect((await folder.run(apiLine)).code).toBe(0);
  expect(folder.read("hidden/v1alpha1/memcached.types.ts")).toContain("interface Memcached ");
  renameSync(join(folder.cwd, "src/main.ts"), join(folder.cwd, "src/real.ts"));
  symlinkSync("real.ts", join(folder.cwd, "src/main.ts"));
  expect(await folder.rejected(apiLine.replace("Memcached", "Proxy"))).toContain("src/main.ts is a link: ");
});

test.each([
  ["nowhere", "it does not exist"],
  ["PROJECT", "its links form a cycle"],
])("rejects PROJECT that is a link to %s", async (target, why) => {
  using folder = openFolder();
  symlinkSync(target, join(folder.cwd, "PROJECT"));
  expect(await folder.rejected(apiLine)).toBe(`Error: cannot read PROJECT: ${why}; nothing was written`);
  expect(await folder.rejected(initLine)).toBe(`Error: cannot read PROJECT: ${why}; nothing was written`);
});

test("rejects a folder in the place of a file, a file in the place of a folder, and a pipe", async () => {
  using folder = await openProjectFolder();
  mkdirSync(join(folder.cwd, "api/v1alpha1/memcached.types.ts"), { recursive: true });
  expect(await folder.rejected(apiLine)).toContain("memcached.types.ts is a folder, but must be a file");
  rmSync(join(folder.cwd, "api"), { recursive: true });
  writeFileSync(join(folder.cwd, "api"), "mine");
  expect(await folder.rejected(apiLine)).toContain("api is not a folder, but must be one");
  rmSync(join(folder.cwd, "PROJECT"));
  execFileSync("mkfifo", [join(folder.cwd, "PROJECT")]);
  expect(await folder.rejected(apiLine)).toContain("PROJECT is not a regular file");
});

test("rejects one of two commands at the same time, and completes the other", async () => {
  using folder = await openProjectFolder();
  // Both commands read PROJECT before the first one writes.
  const both = await Promise.all([folder.run(apiLine), folder.run(apiLine.replace("Memcached", "Proxy"))]);
  expect(both.map(({ code }) => code)).toEqual([0, 1]);
  expect(both[1]?.stderr).toMatch(
    /^Error: PROJECT has changed while this command ran: run it again; nothing was written\n$/,
  );
  expect(Object.keys(folder.files()).filter((path) => path.includes("proxy"))).toEqual([]);
  expect((await folder.run(apiLine.replace("Memcached", "Proxy"))).code).toBe(0);
});

test("says what to remove after a command was killed while it wrote", async () => {
  using folder = await openProjectFolder();
  mkdirSync(join(folder.cwd, ".operator-sdk-writes"));
  expect(await folder.rejected(apiLine)).toContain(
    "another operator-sdk is writing to this folder: try again. If none is running, one was killed: check git status and remove .operator-sdk-writes",
  );
});

const main = join(import.meta.dirname, "../main.ts");
const command = (line: string) =>
  `"${process.execPath}" --conditions=@operator-path/source "${main}" ${line}`;
const hasNamespaces = spawnSync("unshare", ["-rm", "true"]).status === 0;

test.skipIf(!hasNamespaces).each([
  [
    "full",
    "-t tmpfs -o size=1m none",
    /^Error: cannot write [^\n]+: the disk is full; nothing was written\n$/,
  ],
  ["read-only", "-t tmpfs -o size=4m none", /^Error: cannot write to this folder: the disk is read-only; /],
])("writes nothing on a %s disk", async (what, mount, message) => {
  using folder = await openProjectFolder();
  const disk = join(folder.cwd, "../disk");
  mkdirSync(disk);
  // This runs in a separate file system, and compares the folder before and after.
  const script = `
    mount ${mount} "${disk}" && cd "${disk}" && cp -a "${folder.cwd}/." . || exit 9
    head -c 8192 /dev/zero > room; head -c 8m /dev/zero > fill 2> /dev/null; rm room
    ${what === "read-only" ? `mount -o remount,ro "${disk}"` : ""}
    before=$(find . -type f -exec sha256sum {} + | sort)
    ${command(apiLine)}; code=$?
    [ "$before" = "$(find . -type f -exec sha256sum {} + | sort)" ] && exit $code || exit 8`;
  const { status, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", script], { encoding: "utf8" });
  expect(stderr).toMatch(message);
  expect(status).toBe(1);
});

test.skipIf(!hasNamespaces)("undoes all moves if a folder is on another disk", async () => {
  using folder = await openProjectFolder();
  const script = `
    mount -t tmpfs -o size=1m none "${folder.cwd}/src" && cd "${folder.cwd}" && echo "$MAIN" > src/main.ts || exit 9
    before=$(find . -exec ls -ld --time-style=+ {} +; find . -type f -exec sha256sum {} + | sort)
    ${command(apiLine)}; code=$?
    after=$(find . -exec ls -ld --time-style=+ {} +; find . -type f -exec sha256sum {} + | sort)
    [ "$before" = "$after" ] && exit $code || exit 8`;
  const env = { ...process.env, MAIN: folder.read("src/main.ts") };
  const { status, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", script], { encoding: "utf8", env });
  expect(stderr).toBe(
    "Error: cannot write src/main.ts: its folder is on another disk; nothing was written\n",
  );
  expect(status).toBe(1);
});

test("handles a removed current folder, a missing terminal, and a closed output", async () => {
  using folder = await openProjectFolder();
  const shell = (script: string) => spawnSync("bash", ["-c", script], { cwd: folder.cwd, encoding: "utf8" });
  const gone = shell(`mkdir gone && cd gone && rmdir ../gone && ${command("create api")}`);
  expect(gone).toMatchObject({
    status: 1,
    stderr: "Error: the current folder no longer exists: change to another one\n",
  });
  const before = traces(folder.cwd);
  const asked = shell(`${command("create api")} < /dev/null`);
  expect(asked.stderr).toMatch(/^Error: --group, --version, --kind are missing: [^\n]+\n$/);
  expect(traces(folder.cwd)).toEqual(before);
  const unread = shell(`${command(apiLine)} | true; exit \${PIPESTATUS[0]}`);
  expect(unread).toMatchObject({ status: 0, stderr: "" });
  expect(folder.read("PROJECT")).toContain("kind: Memcached");
});
