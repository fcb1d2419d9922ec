import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { openTerminal, type Terminal } from "../testing/terminal.ts";
import { until } from "../testing/until.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "start-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(...pages: string[]): Terminal {
  const main = new URL("../main.ts", import.meta.url).pathname;
  const {
    PATH,
    NODE_COMPILE_CACHE,
    XDG_CACHE_HOME = join(tmpdir(), "operator-path-test-cache"),
  } = process.env;
  const terminal = openTerminal(main, ["start", ...pages], {
    PATH,
    NODE_COMPILE_CACHE,
    XDG_CACHE_HOME,
    HOME: folder,
    TMPDIR: folder,
    NO_COLOR: "1",
  });
  onTestFailed(() => console.error(terminal.screen()));
  return terminal;
}

/** Where everything of a session is, but for the learner's own folder. */
const leftovers = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name !== ".cache");

/** Whoever has the test's folder in its environment is a descendant of what the test started. */
async function processesOf(marker: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter(
    (entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid,
  );
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
  );
  return pids.filter((_pid, index) => environments[index]?.includes(marker));
}

describe("pnpm start with a terminal", () => {
  it("refuses a shell, installs the tool, gives the shell, and cleans up", async () => {
    using terminal = start();
    await terminal.shows(/exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory/);
    await terminal.shows("label: app=payment");
    await terminal.shows(/\$ kubectl exec -it payment-1\.0\.0-\S+ -c ephemeral-busybox -- \/bin\/sh/);
    await terminal.shows("/ $ ");
    terminal.type("ps\r");
    await terminal.shows(/\b1000 .* \/app\//);
    terminal.type("ls /proc/1/root\r");
    await terminal.shows(/\bapp\b.*\betc\b/s);
    terminal.type("exit\r");
    await terminal.shows("What next?");
    // Up from the first entry is the last: Quit.
    terminal.type("\x1b[A\r");
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain("Everything is stopped and cleaned up");
    expect(await leftovers()).toEqual([]);
  }, 60_000);

  it("goes to the pages that are named without what comes before them", async () => {
    using terminal = start("02-memcached-operator");
    await terminal.shows("What next?");
    terminal.type("\x1b[A\x1b[A\r");
    await terminal.shows("02-memcached-operator/2");
    expect(terminal.screen()).not.toMatch(/payment|01-podbuggertool/);
    // Back to the menu, and out of it.
    terminal.type("\x03");
    await terminal.shows(/Which page\?[^]*What next\?/);
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(0);
    expect(await leftovers()).toEqual([]);
  }, 60_000);

  it("leaves nothing behind after Ctrl+C in the middle", async () => {
    using terminal = start();
    await terminal.shows("kubectl rollout status");
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(130);
    expect(await leftovers()).toEqual([]);
  }, 60_000);

  it.runIf(process.platform === "linux")(
    "leaves no process behind when it is killed",
    async () => {
      using terminal = start();
      await terminal.shows("/ $ ");
      expect((await processesOf(folder)).length).toBeGreaterThan(2);
      process.kill(terminal.pid, "SIGKILL");
      await until(async () => (await processesOf(folder)).length === 0);
    },
    60_000,
  );

  it.runIf(process.platform === "linux")(
    "leaves nothing behind when its window is closed",
    async () => {
      using terminal = start();
      await terminal.shows("/ $ ");
      terminal.type("exit\r");
      await terminal.shows("What next?");
      terminal.close();
      await until(async () => (await processesOf(folder)).length === 0);
      expect(await leftovers()).toEqual([]);
    },
    60_000,
  );

  it("leaves nothing behind after Ctrl+C at the menu's prompt", async () => {
    using terminal = start();
    await terminal.shows("/ $ ");
    terminal.type("exit\r");
    await terminal.shows("What next?");
    terminal.type("\x03");
    expect(await terminal.ended()).toBe(0);
    expect(await leftovers()).toEqual([]);
  }, 60_000);
});
