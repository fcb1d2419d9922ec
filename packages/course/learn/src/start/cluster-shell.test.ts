import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { repositoryRoot as root } from "../repository.ts";
import { createClusterShell } from "./cluster-shell.ts";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "cluster shell's-"));
});
afterEach(() => rm(place, { recursive: true, force: true }));

it("sends a page's commands to the cluster in a plain shell, also the second time", async () => {
  const bin = join(place, "bin");
  const make = () =>
    createClusterShell({
      root,
      tutorial: "02-memcached-operator",
      bin,
      kubeconfig: join(place, "config"),
      containerTool: "/no/container-tool",
      variables: { KIND_CLUSTER: "dev" },
      signal: new AbortController().signal,
    });
  expect(await make()).toEqual(await make());
  const lines = await make();
  const asks = [
    "for name in kubectl pnpm operator-sdk exercise; do command -v $name; done",
    'echo "$KUBECONFIG" "$KIND_CLUSTER" "$CONTAINER_TOOL"',
    "node --version",
    'ls "$TUTORIAL/kind-cluster.yaml"',
  ];
  const { stdout } = await execa("sh", ["-ec", [...lines, ...asks].join("\n")], {
    extendEnv: false,
    env: { PATH: "/usr/bin:/bin" },
  });
  expect(stdout.split("\n")).toEqual([
    ...["kubectl", "pnpm", "operator-sdk", "exercise"].map((name) => join(bin, name)),
    `${join(place, "config")} dev container-tool`,
    process.version,
    join(root, "tutorials/02-memcached-operator/kind-cluster.yaml"),
  ]);
});
