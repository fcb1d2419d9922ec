import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandHome, openCommandHome } from "./testing/command.ts";
import { hasExited, until } from "./testing/process.ts";

let clusters: string;
let cli: CommandHome["cli"];
let record: CommandHome["record"];
let remove: CommandHome["remove"];
beforeEach(async () => {
  ({ clusters, cli, record, remove } = await openCommandHome());
});
afterEach(() => remove());

describe("pnpm cluster, more than once", () => {
  it("starts one cluster for two simultaneous commands", async () => {
    const [one, two] = await Promise.all([cli("up"), cli("up")]);
    expect([one.exitCode, two.exitCode]).toEqual([0, 0]);
    const { url } = await record("dev");
    const answers = [one.stdout, two.stdout].map((text) => String(text).split("\n")[0]).sort();
    expect(answers).toEqual([`cluster dev is already up at ${url}`, `cluster dev is up at ${url}`]);
  });

  it("starts again after the cluster was killed", async () => {
    await cli("up");
    const { pid } = await record("dev");
    process.kill(pid, "SIGKILL");
    await until(() => hasExited(pid));
    expect(await cli("status")).toMatchObject({ exitCode: 1 });
    expect((await cli("up")).stdout).toContain("cluster dev is up at");
    expect((await record("dev")).pid).not.toBe(pid);
  });

  it("leaves nothing if the port is taken", async () => {
    await cli("up");
    const { url, pid } = await record("dev");
    const { exitCode, stderr } = await cli("up", "--name", "second", "--port", new URL(url).port);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`is taken by operator-path cluster dev (pid ${pid})`);
    expect(await readdir(clusters)).toEqual(["dev"]);
  });
});
