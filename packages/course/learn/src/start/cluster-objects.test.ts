import { writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  forgetObjects,
  noteUnsaved,
  restoreObjects,
  saveObjects,
  takeObjectsOf,
  wasLeftUnsaved,
} from "./cluster-objects.ts";

let workshops: string;
let place: { workshops: string; tutorial: string; env: NodeJS.ProcessEnv };
beforeEach(async () => {
  workshops = await mkdtemp(join(tmpdir(), "cluster-objects-"));
  const bin = join(workshops, "bin");
  await mkdir(bin);
  place = { workshops, tutorial: workshops, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } };
  const mine = {
    ...{ apiVersion: "v1", kind: "ConfigMap" },
    metadata: { name: "mine", managedFields: [{ manager: "kubectl-create" }] },
  };
  await writeFile(join(workshops, "list.json"), JSON.stringify({ kind: "List", items: [mine] }));
  await writeKubectl("cat list.json");
});
afterEach(() => rm(workshops, { recursive: true, force: true }));

/** Writes a kubectl that runs these commands when it is asked for objects, in the folder with list.json. */
async function writeKubectl(get: string): Promise<void> {
  const config = 'if [ "$1" = config ]; then echo "$@" >>config.log; cat namespace 2>/dev/null; exit 0; fi';
  const script = `#!/bin/sh\nif [ "$1" = api-resources ]; then echo configmaps; exit 0; fi\n${config}\n${get}\n`;
  await writeFile(join(workshops, "bin/kubectl"), script);
  await chmod(join(workshops, "bin/kubectl"), 0o755);
}

it("saves all other kinds if one cannot be listed", async () => {
  await writeKubectl("cat list.json; exit 1");
  await saveObjects(place, "02-x/2");
  expect(await readFile(join(workshops, "cluster.json"), "utf8")).toContain('"mine"');
});

it("reports a session that ended without saving its objects, and none that runs or has saved them", async () => {
  const endedProcess = 2 ** 22 + 1;
  const leave = () => writeFileSync(join(workshops, ".cluster-unsaved"), `${endedProcess}\n`);
  expect(await wasLeftUnsaved(place)).toBe(false);
  await noteUnsaved(place);
  expect(await wasLeftUnsaved(place)).toBe(false);
  leave();
  expect(await wasLeftUnsaved(place)).toBe(true);
  await writeKubectl("exit 1");
  await expect(saveObjects(place, "02-x/2")).rejects.toThrow();
  expect(await wasLeftUnsaved(place)).toBe(true);
  await writeKubectl("cat list.json");
  await saveObjects(place, "02-x/2");
  expect(await wasLeftUnsaved(place)).toBe(false);
});

it("names the built images that the restored objects need", async () => {
  const podOf = (image: string) => ({ template: { spec: { containers: [{ name: "one", image }] } } });
  const items = ["docker.io/library/mine:v1", "nginx:1"].map((image, i) => ({
    ...{ apiVersion: "apps/v1", kind: "Deployment", spec: podOf(image) },
    metadata: { name: `d${i}`, managedFields: [{ manager: "kubectl" }] },
  }));
  await writeFile(join(workshops, "list.json"), JSON.stringify({ kind: "List", items }));
  const table = "REPOSITORY   TAG   IMAGE ID\nmine   v1   0123\nunused   v1   4567";
  const tool = join(workshops, "bin/container-tool");
  await writeFile(tool, `#!/bin/sh\nprintf '%s\\n' '${table}'\n`, { mode: 0o755 });
  await saveObjects(place, "02-x/2");
  expect(await restoreObjects(place)).toMatchObject({ missingImages: ["mine:v1"] });
});

it("puts the objects of a later page aside for an earlier one, and takes them back for that page", async () => {
  const saved = () => readFile(join(workshops, "cluster.json"), "utf8").catch(() => "nothing");
  await saveObjects(place, "02-x/3");
  expect(await takeObjectsOf("02-x/3", place)).toBe(undefined);
  expect(await takeObjectsOf("02-x/10", place)).toBe(undefined);
  expect(await takeObjectsOf("02-x/2", place)).toBe("02-x/3");
  expect(await saved()).toBe("nothing");
  await saveObjects(place, "02-x/2");
  expect(await takeObjectsOf("02-x/3", place)).toBe("02-x/2");
  expect(await saved()).toContain('"page": "02-x/3"');
  expect(await takeObjectsOf("02-x/2", place)).toBe("02-x/3");
  expect(await saved()).toContain('"page": "02-x/2"');
  await forgetObjects(place);
  expect(await takeObjectsOf("02-x/3", place)).toBe(undefined);
  expect(await saved()).toBe("nothing");
});

it("lets kubectl use the namespace of the earlier session again", async () => {
  await saveObjects(place, "02-x/2");
  expect(await restoreObjects(place)).toMatchObject({ namespace: undefined });
  await writeFile(join(workshops, "namespace"), "myproject");
  await saveObjects(place, "02-x/2");
  expect(await restoreObjects(place)).toMatchObject({ namespace: "myproject" });
  const asked = await readFile(join(workshops, "config.log"), "utf8");
  expect(asked).toMatch(/\nconfig set-context --current --namespace=myproject\n$/);
});

it("says nothing about the objects of a page that has none left", async () => {
  await writeFile(join(workshops, "list.json"), JSON.stringify({ kind: "List", items: [] }));
  await saveObjects(place, "02-x/3");
  expect(await takeObjectsOf("02-x/2", place)).toBe(undefined);
});

it("restores objects without managed fields, and what kubectl apply remembers", async () => {
  const { path: kubectl } = await findTool("kubectl");
  const containers = [{ name: "web", image: "nginx:1.29" }];
  const labels = { app: "web" };
  const deployment = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  const file = join(workshops, "deployment.json");
  await writeFile(file, JSON.stringify(deployment));
  const session = async () => {
    const cluster = await startEmbeddedCluster();
    const env = { PATH: `${dirname(kubectl)}:${process.env.PATH}`, KUBECONFIG: cluster.kubeconfigPath };
    const apply = async () => (await execa(kubectl, ["apply", "-f", file], { env })).stdout;
    const create = (...object: string[]) => execa(kubectl, ["create", ...object], { env });
    return { place: { ...place, env }, apply, create, [Symbol.asyncDispose]: () => cluster.stop() };
  };
  {
    await using first = await session();
    expect(await first.apply()).toBe("deployment.apps/web created");
    await first.create("serviceaccount", "prometheus");
    await saveObjects(first.place, "02-x/2");
  }
  // An object that the next cluster rejects.
  const saved = JSON.parse(await readFile(join(workshops, "cluster.json"), "utf8"));
  const unknown = { apiVersion: "example.com/v1", kind: "Unknown", metadata: { name: "one" } };
  await writeFile(
    join(workshops, "cluster.json"),
    JSON.stringify({ ...saved, items: [unknown, ...saved.items] }),
  );
  await using second = await session();
  expect(await restoreObjects(second.place)).toMatchObject({
    made: ["serviceaccount/prometheus", "deployment.apps/web"],
    missing: ["unknown.example.com/one"],
  });
  expect(await second.apply()).toBe("deployment.apps/web unchanged");
});
