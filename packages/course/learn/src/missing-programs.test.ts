import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programsToInstall } from "./missing-programs.ts";
import { readPage } from "./read-page.ts";
import { openTerminal } from "./testing/terminal.ts";

const main = new URL("main.ts", import.meta.url).pathname;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "missing-"));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "tmp"));
  await mkdir(join(folder, "pages"));
  await symlink("/bin/bash", join(folder, "bin/bash"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine with bash, but without make and curl. */
function environment() {
  return {
    PATH: join(folder, "bin"),
    HOME: folder,
    TMPDIR: join(folder, "tmp"),
    NO_COLOR: "1",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    // The command looks for pnpm first, but does not run it.
    npm_execpath: "/pnpm",
  };
}

function learn(args: readonly string[], env: NodeJS.ProcessEnv = environment()) {
  return execa(process.execPath, ["--conditions=@operator-path/source", main, ...args], {
    ...{
      cwd: join(folder, "pages"),
      env,
      extendEnv: false,
      reject: false,
      all: true,
      stdin: "ignore",
    },
  });
}

const page = (requires: string): string =>
  `---\ntitle: A page\nrequires: [${requires}]\n---\n\n## First step\n\n\`\`\`console\n$ touch seen && echo one\none\n\`\`\`\n`;

describe("on a machine without make and curl", () => {
  it.each([
    ["verify", "01-podbuggertool/2", "03-nginx-operator/2"],
    ["start", "01-podbuggertool/2", "03-nginx-operator/2"],
    ["mutants", "01-podbuggertool/2", "03-nginx-operator/2"],
  ])("%s prints how to install them before it runs a page", async (...args) => {
    const { exitCode, all } = await learn(args);
    expect(exitCode).toBe(1);
    expect(all).toMatch(
      /^error: this machine has no make and no curl\. Install what is missing:\n( {2}.*\n)*( {2}.*install.*make.*curl|.*Install make, curl as your distribution says.)/i,
    );
    expect(all).toMatch(/\n {2}01-podbuggertool\/2-in-the-cluster: make\n/);
    expect(all).toMatch(/\n {2}03-nginx-operator\/2-your-turn: make, curl$/);
    expect(all).toContain("\nNothing was run, since all of these pages need it:\n");
    expect(all).not.toMatch(/^ +at /m);
    expect(await readdir(join(folder, "tmp"))).toEqual([]);
  });

  it("speaks of one page if one was named", async () => {
    const { all } = await learn(["verify", "01-podbuggertool/2"]);
    expect(all).toContain(
      "\nNothing was run, since this page needs it:\n  01-podbuggertool/2-in-the-cluster: make",
    );
  });

  it("runs the pages that need neither, skips the others, and exits with 1", async () => {
    await writeFile(join(folder, "pages/plain.md"), page(""));
    await writeFile(join(folder, "pages/made.md"), page("make"));
    const { exitCode, all } = await learn(["verify", "plain.md", "made.md", "--jobs", "1"]);
    expect(all).toMatch(/^warning: this machine has no make\. Install what is missing:\n/);
    expect(all).toMatch(/\nUntil then these pages cannot be run:\n {2}made: make\n/);
    expect(all).toMatch(/\n✓ plain +1 of 1 /);
    expect(all).toMatch(/\n- made +0 of 1 .*skipped: it needs make, which this machine lacks\n/);
    expect(all).toMatch(/\n✗ 1 of 2 pages passed, 1 skipped, in /);
    expect(exitCode).toBe(1);
  });

  it("start shows it on its first screen in a terminal", async () => {
    using terminal = openTerminal(main, ["start", "02-memcached-operator"], environment());
    expect(await terminal.ended()).toBe(1);
    expect(terminal.screen()).toContain(
      "error: this machine has no make and no curl. Install what is missing:",
    );
    expect(terminal.screen()).not.toMatch(/^ +at /m);
  });
});

describe("for a learner who follows a page by hand", () => {
  const diff = "\n`a.ts`\n\n```diff\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n```\n";
  const toInstall = async (text: string) => {
    const path = join(folder, "pages/page.md");
    await writeFile(path, text);
    return programsToInstall(readPage({ path }), environment());
  };
  const withProject = (requires: string) => page(requires).replace("---\n\n", "project: p\n---\n\n");

  it("names what the page needs, and patch for its diffs", async () => {
    expect(await toInstall(withProject("make") + diff)).toMatch(
      /^this page uses make and patch, which this machine lacks\. To install:\n(?: {2}.*\n)* {2}.*make,? patch/i,
    );
  });

  it("names nothing if all is there, and no patch for a page without diffs", async () => {
    expect(await toInstall(page("make"))).toMatch(/^this page uses make, which/);
    await symlink("/bin/bash", join(folder, "bin/patch"));
    expect(await toInstall(withProject("") + diff)).toBeUndefined();
  });
});

it("names the variable that helps if the home is read-only", async () => {
  await writeFile(join(folder, "pages/page.md"), page("kubectl"));
  await writeFile(join(folder, "home"), "");
  const { exitCode, all } = await learn(["verify", "page.md"], {
    ...environment(),
    HOME: join(folder, "home"),
  });
  expect(all.split("\n").at(-1)).toMatch(
    /^error: .*\/home\/.* is not writable \(ENOTDIR\): set XDG_CACHE_HOME to a writable folder$/,
  );
  expect(exitCode).toBe(1);
});
