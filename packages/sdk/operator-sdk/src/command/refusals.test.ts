import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

/** A whole PROJECT, with another value of a key. */
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

describe("one line, exit 1, nothing written: init", () => {
  test.each([
    ["init --domain Example.com", '--domain "Example.com" is no RFC 1123 subdomain'],
    ["init --domain münchen.de", "is no RFC 1123 subdomain"],
    [`init --domain ${"a".repeat(254)}`, "is no RFC 1123 subdomain"],
    ["init --domain", "--domain has no value: say --domain <domain>"],
    [["init", "--domain", ""], "--domain is empty"],
    ["init --domain a.com --domain b.com", "--domain is given twice"],
    ["init --repo ../../etc", '--repo "../../etc" is no path of a repository'],
    ["init --repo /etc", "is no path of a repository"],
    ["init --project-name Memcached_Operator", "is no RFC 1123 label"],
    ["init --project-name a-name-that-is-longer-than-a-service-of-it-may-be", "of 28 at most"],
    [
      "init --plugins ansible.sdk.operatorframework.io/v1",
      "there are typescript/v1, hybrid.helm.sdk.operatorframework.io",
    ],
    ["init --plugins helm.sdk.operatorframework.io/v1", "there are typescript/v1, hybrid"],
    ["init --project-version 2", "there is one, 3"],
    ["init --owner me", "unknown option '--owner'"],
    ["init here", "does not take so many words: here"],
    ["completion", "missing required argument"],
    ["completion tcsh", "there are bash, zsh, fish"],
    ["generate", "there is no PROJECT in this folder"],
    ["edit --multigroup", "there is no PROJECT in this folder"],
    ["inti", "unknown command 'inti'"],
  ])("a flag of init that is wrong: %s", async (line, message) => {
    using folder = openFolder();
    expect(await folder.refused(line)).toContain(message);
  });
});

describe("one line, exit 1, nothing written: create api", () => {
  test.each([
    ["create api", "--group, --version, --kind are missing"],
    [api, "--resource is missing"],
    [`${api} --resource`, "--controller is missing"],
    [`${api} --resource=maybe --controller`, "--resource=maybe: say --resource, or --resource=false"],
    [`${api} --resource --resource=false --controller`, "--resource is given twice"],
    [`${api} --resource=false --controller=false`, "nothing is to be created"],
    [`${api} --resource=false --controller`, "has no types in this project"],
    [`${api} --kind Other --resource --controller`, "--kind is given twice"],
    [api.replace("Memcached", "memcached"), "did you mean Memcached?"],
    [api.replace("Memcached", "Mémcached"), "is no kind"],
    [api.replace("Memcached", "__proto__"), "is no kind"],
    [api.replace("Memcached", "A".repeat(254)), "is no kind"],
    [api.replace("Memcached", "Promise"), "is a type that TypeScript or the scaffold has"],
    [api.replace("cache", "Cache"), '--group "Cache" is no RFC 1123 label'],
    [api.replace("cache", "../cache"), "is no RFC 1123 label"],
    [api.replace("v1alpha1", "alpha"), "is no version of an API"],
    [api.replace("v1alpha1", "v1alpha1/.."), "is no version of an API"],
  ])("a flag of create api that is wrong: %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    expect(await folder.refused(line)).toContain(message);
  });

  test("without a project", async () => {
    using folder = openFolder();
    expect(await folder.refused(apiLine)).toContain("there is no PROJECT in this folder");
  });

  test("a kind that is there, unless with --force", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    expect(await folder.refused(apiLine)).toContain("is there already: --force writes its files anew");
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.ts"), "mine");
    expect((await folder.run(`${apiLine} --force`)).code).toBe(0);
    expect(folder.read("controllers/memcached.controller.ts")).toContain("your logic here");
    expect(folder.read("src/main.ts").match(/setupMemcached\(manager\);/g)).toHaveLength(1);
  });

  test("a second group, unless the project has several", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    const line = "create api --group ship --version v1 --kind Frigate --resource --controller";
    expect(await folder.refused(line)).toContain("operator-sdk edit --multigroup first");
    await folder.run("edit --multigroup");
    const { code, stderr } = await folder.run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(folder.read("controllers/ship/frigate.controller.ts")).toContain(
      'from "../../api/ship/v1/zz_generated.resources.ts"',
    );
    // Kinds of two groups may have one name, controllers may not.
    expect(folder.read("controllers/ship/frigate.controller.ts")).toContain('    .named("ship-frigate")\n');
    expect(folder.read("controllers/memcached.controller.ts")).not.toContain("named(");
  });

  test("a version of another scope than the kind's others; unsaid it is theirs", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(`${apiLine} --namespaced=false`);
    const v1 = apiLine.replace("v1alpha1", "v1").replace("--controller", "--controller=false");
    expect(await folder.refused(`${v1} --namespaced`)).toContain(
      "--namespaced=true: Memcached is cluster-scoped in v1alpha1, and a kind is the same in all versions",
    );
    expect((await folder.run(v1)).code).toBe(0);
    expect(folder.read("api/v1/memcached.types.ts")).toContain("+kubebuilder:resource:scope=Cluster");
    expect(folder.read("PROJECT")).not.toContain("namespaced");
  });

  test("files of the author's in the way: all are named", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    mkdirSync(join(folder.cwd, "controllers"));
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.ts"), "mine");
    writeFileSync(join(folder.cwd, "controllers/memcached.controller.test.ts"), "mine");
    const message = await folder.refused(apiLine);
    expect(message).toContain(
      "controllers/memcached.controller.test.ts, controllers/memcached.controller.ts are there already",
    );
  });

  test("a marker that is gone: what to add by hand", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(
      join(folder.cwd, "src/main.ts"),
      folder.read("src/main.ts").replace("// +kubebuilder:scaffold:builder", ""),
    );
    expect(await folder.refused(apiLine)).toContain(
      'src/main.ts has no line "+kubebuilder:scaffold:builder" any more: put the marker back, in a comment, where this belongs: setupMemcached(manager);',
    );
  });

  test("a file where a folder has to be", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(join(folder.cwd, "config/samples"), "mine");
    expect(await folder.refused(apiLine)).toContain(
      "config/samples is no folder, and has to be one: move it away first",
    );
  });
});

describe("one line, exit 1, nothing written: PROJECT", () => {
  test.each([
    ["no YAML", "a: [", /PROJECT:1:\d+: /],
    ["of a key twice", 'version: "3"\nversion: "3"\n', /PROJECT:2:1: Map keys must be unique/],
    ["empty", "", /its version is not "3"/],
    ["of another tool", 'version: "3"\nlayout: [go.kubebuilder.io/v4]\n', /made by another tool/],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      /PROJECT: Excessive alias count/,
    ],
    [
      "a list of nothing",
      'version: "3"\nlayout: [typescript.operator-path/v1]\ndomain: a.b\nprojectName: a\nrepo: a\nresources: [null]\n',
      /resources\[0\] has no group, version and kind/,
    ],
    [
      "of a name that leads elsewhere",
      project("projectName: ../x"),
      /PROJECT: projectName: .* is no RFC 1123 label/,
    ],
    [
      "of a domain with a line break",
      project('domain: "a.b\\nc: d"'),
      /PROJECT: domain: .* is no RFC 1123 subdomain/,
    ],
    ["of a repository that leads elsewhere", project("repo: ../../etc"), /PROJECT: repo: .* is no path/],
    ["of groups, maybe", project("multigroup: maybe"), /PROJECT: multigroup is neither true nor false/],
    [
      "of a version that leads elsewhere",
      project("resources: [{ group: a, version: ../../v1, kind: A }]"),
      /PROJECT: resources\[0\]: version "..\/..\/v1" is no version of an API/,
    ],
    [
      "of a kind called __proto__",
      project("resources: [{ group: a, version: v1, kind: __proto__ }]"),
      /PROJECT: resources\[0\]: kind "__proto__" is no kind/,
    ],
    ["of two documents", `${project("")}---\na: b\n`, /PROJECT:\d+:1: /],
    ["a text", "hello", /its version is not "3"/],
    ["without a domain", 'version: "3"\nlayout: [typescript.operator-path/v1]\n', /domain is missing/],
  ])("PROJECT is %s", async (_name, text, message) => {
    using folder = openFolder();
    writeFileSync(join(folder.cwd, "PROJECT"), text);
    expect(await folder.refused(apiLine)).toMatch(message);
  });
});

describe("one line, exit 1, nothing written: create webhook", () => {
  const webhook = "create webhook --group cache --version v1alpha1 --kind Memcached";
  test.each([
    ["create webhook --defaulting", "--group, --version, --kind are missing"],
    [webhook, "say what the webhook is for"],
    [`${webhook} --defaulting --defaulting`, "--defaulting is given twice"],
    [`${webhook} --conversion`, "Memcached has no other version than v1alpha1"],
    [`${webhook.replace("Memcached", "Proxy")} --defaulting`, "Kind=Proxy is not in this project"],
  ])("a flag of create webhook that is wrong: %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    expect(await folder.refused(line)).toContain(message);
  });

  test("types that are not where those of a group belong", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    await folder.run("edit --multigroup");
    expect(await folder.refused(`${webhook} --defaulting`)).toContain(
      "the types of Memcached are not in api/cache/v1alpha1/memcached.types.ts: move them there",
    );
  });

  test("webhooks that are there", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    await folder.run(`${webhook} --defaulting`);
    const line = `${webhook} --programmatic-validation`;
    expect(await folder.refused(line)).toContain("has webhooks already: --force writes its files anew");
    expect((await folder.run(`${line} --force`)).code).toBe(0);
    const text = folder.read("api/v1alpha1/memcached.webhook.ts");
    expect(text).toContain("setDefaults(memcached");
    expect(text).toContain("validateCreate(memcached");
    expect(folder.read("PROJECT")).toContain("    defaulting: true\n    validation: true\n");
  });

  test("a second hub of a kind", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    await folder.run(apiLine);
    const v1 = apiLine.replace("v1alpha1", "v1").replace("--controller", "--controller=false");
    await folder.run(v1);
    expect((await folder.run(`${webhook.replace("v1alpha1", "v1")} --conversion`)).code).toBe(0);
    expect(await folder.refused(`${webhook} --conversion`)).toContain("v1 is the hub of Memcached already");
    const { stdout } = await folder.run(v1.replace("v1", "v2"));
    expect(stdout).toContain("Next: make v2 a spoke in api/v1/memcached.conversion.ts and its test\n");
  });
});

test("init does not write over what is there", async () => {
  using folder = openFolder();
  writeFileSync(join(folder.cwd, "Makefile"), "mine");
  expect(await folder.refused(initLine)).toContain("Makefile is there already");
});

describe("edit", () => {
  test.each([
    ["edit", "nothing to edit"],
    ["edit --image controller", "is no image"],
    ["edit --image controller=Bad/Name:v1", "is no image"],
    ["edit --image controller=example.com/x:v1;rm", "is no image"],
  ])("refuses %s", async (line, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    expect(await folder.refused(line)).toContain(message);
  });

  test.each([
    ["images: [", /config\/manager\/kustomization.yaml:\d+:\d+: it is no YAML/],
    ["images: here", /images is no list/],
  ])("refuses a kustomization that says %s", async (text, message) => {
    using folder = openFolder();
    await folder.run(initLine);
    writeFileSync(join(folder.cwd, "config/manager/kustomization.yaml"), text);
    expect(await folder.refused("edit --image controller=a:v1")).toMatch(message);
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
