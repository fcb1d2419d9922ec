import * as client from "@operator-path/client";
import { expect, test } from "vitest";
import { builtInKinds } from "../project/built-in-kinds.ts";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

const line = "create api --group apps --version v1 --kind Deployment --resource=false --controller";

test("adds a controller of Deployments without types, CRD or sample, and later a kind of the project's own", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  const { code, stderr, stdout } = await folder.run(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`Writing scaffold for you to edit...
controllers/deployment.controller.test.ts
controllers/deployment.controller.ts
controllers/suite.ts
src/main.ts
PROJECT
`);
  const controller = folder.read("controllers/deployment.controller.ts");
  expect(controller).toContain('import { deployments } from "@operator-path/client";');
  expect(controller).toContain("+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch");
  expect(folder.read("src/main.ts")).toContain("setupDeployment(manager);\n// +kubebuilder:scaffold:builder");
  expect(folder.read("PROJECT")).toContain(`resources:
- controller: true
  core: true
  group: apps
  kind: Deployment
  path: k8s.io/api/apps/v1
  version: v1
`);
  expect(folder.read("controllers/suite.ts")).not.toMatch(/^ +"config\/crd\/bases",$/m);
  expect(await folder.rejected(line)).toContain("already has a controller");
  // The built-in kind does not count as the project's first group.
  expect(await folder.run(apiLine)).toMatchObject({ code: 0, stderr: "" });
  expect(folder.read("controllers/suite.ts")).toMatch(/crds: string\[\] = \[\n +"config\/crd\/bases",\n/);
  expect((await folder.run("generate")).code).toBe(0);
  expect(folder.read("config/rbac/role.yaml")).toMatch(/- apps\n {2}resources:\n {2}- deployments\n/);
  // An overwritten entry keeps its place.
  const before = folder.read("PROJECT");
  expect((await folder.run(`${line} --force`)).code).toBe(0);
  expect(folder.read("PROJECT")).toBe(before);
});

test.each([
  [
    "core",
    "v1",
    "Pod",
    "groups=core,resources=pods,",
    "  group: core\n  kind: Pod\n  path: k8s.io/api/core/v1\n",
  ],
  [
    "networking",
    "v1",
    "Ingress",
    "groups=networking.k8s.io,resources=ingresses,",
    "  domain: k8s.io\n  group: networking\n  kind: Ingress\n",
  ],
])(
  "adds a controller of %s/%s %s to a project with several groups",
  async (group, version, kind, marker, entry) => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run("edit --multigroup");
    const { code } = await folder.run(
      `create api --group ${group} --version ${version} --kind ${kind} --resource=false --controller`,
    );
    expect(code).toBe(0);
    expect(folder.read(`controllers/${group}/${kind.toLowerCase()}.controller.ts`)).toContain(marker);
    expect(folder.read("PROJECT")).toContain(entry);
    expect((await folder.run("edit --multigroup=false")).code).toBe(0);
  },
);

test("rejects a built-in kind in an unknown version", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  expect(await folder.rejected(line.replace("v1", "v1beta1"))).toContain("has no types in this project");
});

test("knows the same kinds as the client", () => {
  const resources = Object.entries(client).filter(
    (entry): entry is [string, client.Resource] =>
      typeof entry[1] === "object" && "plural" in (entry[1] as object),
  );
  const known = resources.map(([resource, { group, version, kind }]) => ({ group, version, kind, resource }));
  const byName = (a: { resource: string }, b: { resource: string }): number =>
    a.resource < b.resource ? -1 : 1;
  expect(builtInKinds.toSorted(byName)).toEqual(known.sort(byName));
  for (const [name, { plural }] of resources) expect(name.toLowerCase()).toBe(plural);
});
