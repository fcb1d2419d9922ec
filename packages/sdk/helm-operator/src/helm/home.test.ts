import fs, { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { homePrefix, sweepHomes } from "./home.ts";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "place-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
});

/** Returns the PID of a process that has ended. */
async function endedPid(): Promise<number> {
  const ended = execa("true");
  await ended;
  return ended.pid ?? 0;
}

it("removes the folders of operators that were killed, and no others", async () => {
  const killed = join(place, `${homePrefix(await endedPid())}aBc123`);
  await mkdir(killed);
  await writeFile(join(killed, "kubeconfig"), "token");
  const others = [`${homePrefix(process.ppid)}aBc123`, `${homePrefix(process.pid)}aBc123`, "other"];
  for (const name of others) await mkdir(join(place, name));
  await sweepHomes(place);
  expect((await readdir(place)).sort()).toEqual(others.sort());
});

it("keeps the folders of operators in other containers that share the place", async () => {
  const pid = await endedPid();
  const name = homePrefix(pid).replace(/-\d+-/, "-1-");
  const others = [`${name}aBc123`, `helm-operator-${pid}-aBc123`];
  for (const other of others) await mkdir(join(place, other));
  await sweepHomes(place);
  expect((await readdir(place)).sort()).toEqual(others.sort());
});

it("keeps a folder of this process where the file system records no creation time", async () => {
  const { stat } = fs;
  const unborn = async (path: string) => Object.assign(await stat(path), { birthtimeMs: 0 });
  const spy = vi.spyOn(fs, "stat").mockImplementation(unborn as typeof stat);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  const name = `${homePrefix(process.pid)}aBc123`;
  await mkdir(join(place, name));
  await sweepHomes(place);
  expect(spy).toHaveBeenCalled();
  expect(await readdir(place)).toEqual([name]);
});
