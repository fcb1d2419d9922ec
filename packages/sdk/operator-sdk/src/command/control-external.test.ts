import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

const line =
  "create api --group example.org --version v1 --kind Certificate --resource=false --controller --external-api-path crd.yaml";
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: certificates.example.org
spec:
  group: example.org
  scope: Namespaced
  names: { kind: Certificate, plural: certificates }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [host]
              properties: { host: { type: string } }
`;

async function projectWith(text: string) {
  const folder = openFolder();
  await folder.run(initLine);
  writeFileSync(join(folder.cwd, "crd.yaml"), text);
  return folder;
}

describe("create api --external-api-path", () => {
  test("adds a controller of another project's kind, with its types and its definition for tests", async () => {
    using folder = await projectWith(crd);
    const { code, stderr, stdout } = await folder.run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`Writing scaffold for you to edit...
api/external/certificates.example.org.v1.ts
config/crd/external/example.org_certificates.yaml
controllers/certificate.controller.test.ts
controllers/certificate.controller.ts
controllers/suite.ts
src/main.ts
PROJECT
`);
    const controller = folder.read("controllers/certificate.controller.ts");
    expect(controller).toContain(
      'import { certificates } from "../api/external/certificates.example.org.v1.ts";',
    );
    expect(controller).toContain(
      "+kubebuilder:rbac:groups=example.org,resources=certificates,verbs=get;list;watch",
    );
    expect(folder.read("api/external/certificates.example.org.v1.ts")).toContain("host: string;");
    expect(parse(folder.read("config/crd/external/example.org_certificates.yaml"))).toEqual(parse(crd));
    expect(folder.read("controllers/suite.ts")).toContain('"config/crd/external",');
    expect(folder.read("PROJECT")).toContain(`resources:
- controller: true
  domain: org
  external: true
  group: example
  kind: Certificate
  path: api/external
  version: v1
`);
  });

  test("takes one definition of a list, without what a server has added", async () => {
    const served = parse(crd);
    const metadata = { ...served.metadata, uid: "1", resourceVersion: "7" };
    const other = { ...served, spec: { ...served.spec, names: { kind: "Issuer", plural: "issuers" } } };
    using folder = await projectWith(
      stringify({ kind: "List", items: [other, { ...served, metadata, status: { conditions: [] } }] }),
    );
    expect((await folder.run(line)).code).toBe(0);
    expect(parse(folder.read("config/crd/external/example.org_certificates.yaml"))).toEqual(served);
  });

  test("can be followed by a kind of the project's own, and by itself with --force", async () => {
    using folder = await projectWith(crd);
    await folder.run(line);
    expect(await folder.rejected(line)).toContain("already has a controller: --force overwrites it");
    expect(await folder.run(apiLine)).toMatchObject({ code: 0, stderr: "" });
    expect(await folder.run(`${line} --force`)).toMatchObject({ code: 0, stderr: "" });
    expect(folder.read("controllers/suite.ts").match(/"config\/crd\/external"/g)).toHaveLength(1);
    expect((await folder.run("generate")).code).toBe(0);
    expect(folder.read("config/rbac/role.yaml")).toContain("- example.org\n");
  });

  test.each([
    ["a group without its domain", line.replace("example.org", "example"), "has no domain"],
    ["types of its own", line.replace("--resource=false", "--resource"), "add --resource=false --controller"],
    ["a missing file", line.replace("crd.yaml", "no.yaml"), "cannot read --external-api-path"],
    ["another kind", line.replace("Certificate", "Issuer"), "it defines Certificate of example.org"],
    ["another version", line.replace("v1", "v1beta1"), "does not serve Certificate in v1beta1: it serves v1"],
    ["a file without a definition", line.replace("crd.yaml", "PROJECT"), "has no CustomResourceDefinition"],
  ])("rejects %s", async (_, line, message) => {
    using folder = await projectWith(crd);
    expect(await folder.rejected(line)).toContain(message);
  });

  test("is required for a group with a domain", async () => {
    using folder = await projectWith(crd);
    expect(await folder.rejected(line.replace(" --external-api-path crd.yaml", ""))).toContain(
      "is not a valid RFC 1123 label",
    );
  });
});

describe("another project's kind in a group with the same first label as the project's own group", () => {
  const own = "create api --group example --version v1 --kind Certificate --resource --controller";

  test.each(["", " --multigroup"])("is rejected after the own kind with that name: init%s", async (flag) => {
    using folder = await projectWith(crd);
    if (flag) await folder.run("edit --multigroup");
    expect((await folder.run(own)).code).toBe(0);
    for (const force of ["", " --force"]) {
      expect(await folder.rejected(`${line}${force}`)).toMatch(
        /^Error: the controller of Certificate of example\.org would be in controllers\/(example\/)?certificate\.controller\.ts, which has the controller of Certificate of example\.\S+: control one of them in another project, or give your own kind another name; nothing was written$/,
      );
    }
  });

  test("prevents an own kind with that name", async () => {
    using folder = await projectWith(crd);
    await folder.run(line);
    for (const wanted of [own, `${own} --force`, own.replace("v1 ", "v2 ")]) {
      expect(await folder.rejected(wanted)).toContain(
        "which has the controller of Certificate of example.org",
      );
    }
  });

  test("does not conflict with an own kind without a controller", async () => {
    using folder = await projectWith(crd);
    expect((await folder.run(line)).code).toBe(0);
    const withoutController = own.replace("--controller", "--controller=false");
    expect(await folder.run(withoutController)).toMatchObject({ code: 0, stderr: "" });
    expect(parse(folder.read("PROJECT"))).toMatchObject({
      resources: [
        { domain: "org", external: true, controller: true, path: "api/external" },
        { api: { namespaced: true }, domain: "example.com", path: expect.stringContaining("/api/v1") },
      ],
    });
    expect(parse(folder.read("PROJECT")).resources[1]).not.toHaveProperty("external");
    expect(await folder.rejected(`${own} --force`)).toContain("which has the controller of");
  });

  test("does not conflict with own kinds with other names", async () => {
    using folder = await projectWith(crd);
    await folder.run("edit --multigroup");
    expect((await folder.run(line)).code).toBe(0);
    expect(await folder.run(own.replace("Certificate", "Issuer"))).toMatchObject({ code: 0, stderr: "" });
  });
});
