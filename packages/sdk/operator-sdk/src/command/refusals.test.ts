import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

/** Returns a valid PROJECT with another value for one key. */
function project(line: string): string {
  const lines = [
    'version: "3"',
    "layout: [typescript.operator-path/v1]",
    "domain: a.b",
    "projectName: a",
    "repo: a",
  ];
  const [key] = line.split(":");
  return [...lines.filter((each) => !each.startsWith(`${key}:`)), line, ""].join("\n");
}

const api = "create api --group cache --version v1alpha1 --kind Memcached";

describe("init", () => {
  test.each([
    ["init --domain Example.com", '--domain "Example.com" is not a valid RFC 1123 subdomain'],
    ["init --domain münchen.de", "is not a valid RFC 1123 subdomain"],
    [`init --domain ${"a".repeat(254)}`, "is not a valid RFC 1123 subdomain"],
    ["init --domain", "--domain has no value: write --domain <domain>"],
    [["init", "--domain", ""], "--domain is empty"],
    ["init --domain a.com --domain b.com", "--domain is given twice"],
    ["init --repo ../../etc", '--repo "../../etc" is not a valid repository path'],
    ["init --repo /etc", "is not a valid repository path"],
    ["init --project-name Memcached_Operator", "is not a valid RFC 1123 label"],
    ["init --project-name a-name-that-is-longer-than-a-service-of-it-may-be", "of at most 28 characters"],
    [
      "init --plugins ansible.sdk.operatorframework.io/v1",
      "the plugins are typescript/v1, hybrid.helm.sdk.operatorframework.io",
    ],
    ["init --plugins helm.sdk.operatorframework.io/v1", "the plugins are typescript/v1, hybrid"],
    ["init --project-version 2", "the only version is 3"],
    ["init --owner me", "unknown option '--owner'"],
    ["init here", "has unexpected arguments: here"],
    ["completion", "missing required argument"],
    ["completion tcsh", "the shells are bash, zsh, fish"],
    ["generate", "there is no PROJECT in this folder"],
    ["edit --multigroup", "there is no PROJECT in this folder"],
    ["inti", "unknown command 'inti'"],
  ])("rejects %s", async (line, message) => {
    using folder = openFolder();
    expect(await folder.rejected(line)).toContain(message);
  });
});

describe("create api", () => {
  test.each([
    ["create api", "--group, --version, --kind are missing"],
    [api, "--resource is missing"],
    [`${api} --resource`, "--controller is missing"],
    [`${api} --resource=maybe --controller`, "--resource=maybe: write --resource or --resource=false"],
    [`${api} --resource --resource=false --controller`, "--resource is given twice"],
    [`${api} --resource=false --controller=false`, "nothing to create"],
    [`${api} --resource=false --controller`, "has no types in this project"],
    [`${api} --kind Other --resource --controller`, "--kind is given twice"],
    [api.replace("Memcached", "memcached"), "did you mean Memcached?"],
    [api.replace("Memcached", "Mémcached"), "is not a valid kind"],
    [api.replace("Memcached", "__proto__"), "is not a valid kind"],
    [api.replace("Memcached", "A".repeat(254)), "is not a valid kind"],
    [api.replace("Memcached", "Promise"), "is the name of a type in TypeScript or the scaffold"],
    [api.replace("cache", "Cache"), '--group "Cache" is not a valid RFC 1123 label'],
    [api.replace("cache", "../cache"), "is not a valid RFC 1123 label"],
    [api.replace("v1alpha1", "alpha"), "is not a valid API version"],
    [api.replace("v1alpha1", "v1alpha1/.."), "is not a valid API version"],
  ])("rejects %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    expect(await folder.rejected(line)).toContain(message);
  });

  test("rejects a folder without a project", async () => {
    using folder = openFolder();
    expect(await folder.rejected(apiLine)).toContain("there is no PROJECT in this folder");
  });

  test("rejects an existing kind without --force", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    expect(await folder.rejected(apiLine)).toContain("already exists: --force overwrites its files");
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.ts"), "mine");
    expect((await folder.run(`${apiLine} --force`)).code).toBe(0);
    expect(folder.read("controllers/memcached.controller.ts")).toContain("your logic here");
    expect(folder.read("src/main.ts").match(/setupMemcached\(manager\);/g)).toHaveLength(1);
  });

  test("rejects a second group, unless the project is multigroup", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    const line = "create api --group ship --version v1 --kind Frigate --resource --controller";
    expect(await folder.rejected(line)).toContain("operator-sdk edit --multigroup first");
    await folder.run("edit --multigroup");
    const { code, stderr } = await folder.run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(folder.read("controllers/ship/frigate.controller.ts")).toContain(
      'from "../../api/ship/v1/zz_generated.resources.ts"',
    );
    // Kinds of two groups may have the same name, but controllers may not.
    expect(folder.read("controllers/ship/frigate.controller.ts")).toContain('    .named("ship-frigate")\n');
    expect(folder.read("controllers/memcached.controller.ts")).not.toContain("named(");
  });

  test("rejects a version with another scope, and uses the kind's scope by default", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(`${apiLine} --namespaced=false`);
    const v1 = apiLine.replace("v1alpha1", "v1").replace("--controller", "--controller=false");
    expect(await folder.rejected(`${v1} --namespaced`)).toContain(
      "--namespaced=true: Memcached is cluster-scoped in v1alpha1, and all versions of a kind have the same scope",
    );
    expect((await folder.run(v1)).code).toBe(0);
    expect(folder.read("api/v1/memcached.types.ts")).toContain("+kubebuilder:resource:scope=Cluster");
    expect(folder.read("PROJECT")).not.toContain("namespaced");
  });

  test("names all existing files that it would overwrite", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    mkdirSync(join(folder.cwd, "controllers"));
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.ts"), "mine");
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.test.ts"), "mine");
    const message = await folder.rejected(apiLine);
    expect(message).toContain(
      "controllers/memcached.controller.test.ts, controllers/memcached.controller.ts already exist",
    );
  });

  test("prints the code for a missing marker", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(
      join(folder.cwd, "src/main.ts"),
      folder.read("src/main.ts").replace("// +kubebuilder:scaffold:builder", ""),
    );
    expect(await folder.rejected(apiLine)).toContain(
      'src/main.ts has no line "+kubebuilder:scaffold:builder": put the marker back, in a comment at the place of this code: setupMemcached(manager);',
    );
  });

  test("rejects a file in the place of a folder", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(join(folder.cwd, "config/samples"), "mine");
    expect(await folder.rejected(apiLine)).toContain(
      "config/samples is not a folder, but must be one: move it away first",
    );
  });
});

describe("PROJECT", () => {
  test.each([
    ["invalid YAML", "a: [", /PROJECT:1:\d+: /],
    ["a duplicate key", 'version: "3"\nversion: "3"\n', /PROJECT:2:1: Map keys must be unique/],
    ["no text", "", /its version is not "3"/],
    [
      "the layout of another tool",
      'version: "3"\nlayout: [go.kubebuilder.io/v4]\n',
      /use the tool that created this project/,
    ],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      /PROJECT: Excessive alias count/,
    ],
    [
      "an empty entry",
      'version: "3"\nlayout: [typescript.operator-path/v1]\ndomain: a.b\nprojectName: a\nrepo: a\nresources: [null]\n',
      /resources\[0\] has no group, version and kind/,
    ],
    [
      "a name that leads out of the folder",
      project("projectName: ../x"),
      /PROJECT: projectName: .* is not a valid RFC 1123 label/,
    ],
    [
      "a domain with a line break",
      project('domain: "a.b\\nc: d"'),
      /PROJECT: domain: .* is not a valid RFC 1123 subdomain/,
    ],
    [
      "a repository that leads out of the folder",
      project("repo: ../../etc"),
      /PROJECT: repo: .* is not a valid repository path/,
    ],
    [
      "an invalid value of multigroup",
      project("multigroup: maybe"),
      /PROJECT: multigroup is neither true nor false/,
    ],
    [
      "a version that leads out of the folder",
      project("resources: [{ group: a, version: ../../v1, kind: A }]"),
      /PROJECT: resources\[0\]: version "..\/..\/v1" is not a valid API version/,
    ],
    [
      "a kind with the name __proto__",
      project("resources: [{ group: a, version: v1, kind: __proto__ }]"),
      /PROJECT: resources\[0\]: kind "__proto__" is not a valid kind/,
    ],
    ["two documents", `${project("")}---\na: b\n`, /PROJECT:\d+:1: /],
    ["only a string", "hello", /its version is not "3"/],
    ["no domain", 'version: "3"\nlayout: [typescript.operator-path/v1]\n', /domain is missing/],
  ])("is rejected with %s", async (_name, text, message) => {
    using folder = openFolder();
    writeFileSync(join(folder.cwd, "PROJECT"), text);
    expect(await folder.rejected(apiLine)).toMatch(message);
  });
});

describe("create webhook", () => {
  const webhook = "create webhook --group cache --version v1alpha1 --kind Memcached";
  test.each([
    ["create webhook --defaulting", "--group, --version, --kind are missing"],
    [webhook, "the type of the webhook is missing"],
    [`${webhook} --defaulting --defaulting`, "--defaulting is given twice"],
    [`${webhook} --conversion`, "Memcached has only the version v1alpha1"],
    [`${webhook.replace("Memcached", "Proxy")} --defaulting`, "Kind=Proxy is not in this project"],
  ])("rejects %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    expect(await folder.rejected(line)).toContain(message);
  });

  test("rejects types that are not in the folder of their group", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    await folder.run("edit --multigroup");
    expect(await folder.rejected(`${webhook} --defaulting`)).toContain(
      "the types of Memcached are not in api/cache/v1alpha1/memcached.types.ts: move their whole folder there",
    );
  });

  test("rejects existing webhooks without --force", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    await folder.run(`${webhook} --defaulting`);
    const line = `${webhook} --programmatic-validation`;
    expect(await folder.rejected(line)).toContain("already has webhooks: --force overwrites its files");
    expect((await folder.run(`${line} --force`)).code).toBe(0);
    const text = folder.read("api/v1alpha1/memcached.webhook.ts");
    expect(text).toContain("setDefaults(memcached");
    expect(text).toContain("validateCreate(memcached");
    expect(folder.read("PROJECT")).toContain("    defaulting: true\n    validation: true\n");
  });

  test("rejects a second hub of a kind", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    const v1 = apiLine.replace("v1alpha1", "v1").replace("--controller", "--controller=false");
    await folder.run(v1);
    expect((await folder.run(`${webhook.replace("v1alpha1", "v1")} --conversion`)).code).toBe(0);
    expect(await folder.rejected(`${webhook} --conversion`)).toContain("Memcached already has the hub v1");
    const { stdout } = await folder.run(v1.replace("v1", "v2"));
    expect(stdout).toContain("Next: make v2 a spoke in api/v1/memcached.conversion.ts and its test\n");
  });
});

test("init does not overwrite existing files", async () => {
  using folder = openFolder();
  writeFileSync(join(folder.cwd, "Makefile"), "mine");
  expect(await folder.rejected(initLine)).toContain("Makefile already exists");
});

describe("edit", () => {
  test.each([
    ["edit", "nothing to edit"],
    ["edit --image controller", "is not a valid image"],
    ["edit --image controller=Bad/Name:v1", "is not a valid image"],
    ["edit --image controller=example.com/x:v1;rm", "is not a valid image"],
  ])("rejects %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    expect(await folder.rejected(line)).toContain(message);
  });

  test.each([
    ["images: [", /config\/manager\/kustomization.yaml:\d+:\d+: it is not valid YAML/],
    ["images: here", /images is not a list/],
  ])("rejects a kustomization with %s", async (text, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(join(folder.cwd, "config/manager/kustomization.yaml"), text);
    expect(await folder.rejected("edit --image controller=a:v1")).toMatch(message);
  });

  test.each([
    ["controller=registry:5000/team/operator:v2", "newName: registry:5000/team/operator\n  newTag: v2\n"],
    ["controller=operator", "newName: operator\n  newTag: latest\n"],
    [`controller=a.b/c@sha256:${"0".repeat(64)}`, `newName: a.b/c\n  digest: sha256:${"0".repeat(64)}\n`],
  ])("sets the image %s, and nothing else", async (image, text) => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(`edit --image ${image}`);
    expect(folder.read("config/manager/kustomization.yaml")).toMatch(
      new RegExp(`resources:\n- manager.yaml\n# Set by .*\nimages:\n- name: controller\n  ${text}$`),
    );
  });
});
