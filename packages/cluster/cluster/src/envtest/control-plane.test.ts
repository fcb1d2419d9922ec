import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startRealControlPlane } from "./control-plane.ts";

/** Programs in place of etcd and kube-apiserver. The latter notes its port, and finds it taken. */
async function programsOnTakenPorts() {
  const folder = await mkdtemp(join(tmpdir(), "op-control-plane-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = async <N extends string>(name: N, script: string) => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return { path, name, version: "0.0.0", source: "cache" as const };
  };
  const starts = join(folder, "starts");
  return {
    programs: {
      etcd: await program("etcd", "exec sleep 600"),
      apiserver: await program(
        "kube-apiserver",
        `echo "$@" >>${starts}; echo "listen tcp 127.0.0.1:1: bind: address already in use"; exit 1`,
      ),
    },
    ports: async () => (await readFile(starts, "utf8")).match(/(?<=--secure-port=)\d+/g),
  };
}

test("tries another port, three times, when its own is taken before kube-apiserver binds it", async () => {
  const { programs, ports } = await programsOnTakenPorts();
  await expect(startRealControlPlane({ programs })).rejects.toThrow("address already in use");
  expect(new Set(await ports()).size).toBe(3);
});

test("keeps to a port that was asked for", async () => {
  const { programs, ports } = await programsOnTakenPorts();
  const failed = startRealControlPlane({ programs, port: 47_613 });
  await expect(failed).rejects.toThrow("address already in use");
  expect(await ports()).toEqual(["47613"]);
});
