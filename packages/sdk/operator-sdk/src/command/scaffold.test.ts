import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

test("init and create api create the project, and print what they do", async () => {
  using folder = openFolder();
  const started = await folder.run(initLine);
  expect(started.stdout).toBe(
    "Writing kustomize manifests for you to edit...\nWriting scaffold for you to edit...\nNext: define a resource with:\n$ operator-sdk create api\n",
  );
  const created = await folder.run(apiLine);
  expect(created.stderr).toBe("");
  expect(created.stdout).toContain("Writing scaffold for you to edit...\n");
  expect(created.stdout).toContain("\napi/v1alpha1/memcached.types.ts\n");
  expect(created.stdout).toMatch(/Next: implement your new API .*\n\$ make generate manifests\n$/);
  expect(Object.keys(folder.files()).join("\n")).toMatchInlineSnapshot(`
    ".dockerignore
    .github/workflows/test.yml
    .gitignore
    Dockerfile
    Makefile
    PROJECT
    README.md
    api/v1alpha1/groupversion.info.ts
    api/v1alpha1/memcached.types.ts
    api/v1alpha1/zz_generated.resources.ts
    biome.json
    config/crd/kustomization.yaml
    config/default/kustomization.yaml
    config/default/manager_metrics_patch.yaml
    config/default/metrics_service.yaml
    config/manager/kustomization.yaml
    config/manager/manager.yaml
    config/network-policy/allow-metrics-traffic.yaml
    config/network-policy/kustomization.yaml
    config/rbac/kustomization.yaml
    config/rbac/leader_election_role.yaml
    config/rbac/leader_election_role_binding.yaml
    config/rbac/memcached_admin_role.yaml
    config/rbac/memcached_editor_role.yaml
    config/rbac/memcached_viewer_role.yaml
    config/rbac/metrics_auth_role.yaml
    config/rbac/metrics_auth_role_binding.yaml
    config/rbac/metrics_reader_role.yaml
    config/rbac/role.yaml
    config/rbac/role_binding.yaml
    config/rbac/service_account.yaml
    config/samples/cache_v1alpha1_memcached.yaml
    config/samples/kustomization.yaml
    controllers/memcached.controller.test.ts
    controllers/memcached.controller.ts
    controllers/suite.ts
    hack/boilerplate.txt
    hack/delete-objects.sh
    hack/which-cluster.sh
    package.json
    pnpm-workspace.yaml
    src/main.ts
    test/e2e/e2e.test.ts
    test/e2e/vitest.config.ts
    tsconfig.json
    vitest.config.ts"
  `);
});

test("a deployed operator has source maps: its Pod sets the option, too", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  expect(folder.read("Dockerfile")).toContain("\nENV NODE_OPTIONS=--enable-source-maps\n");
  // A Pod's variable replaces the image's.
  const options = /name: NODE_OPTIONS\n +value: --enable-source-maps /;
  expect(folder.read("config/manager/manager.yaml")).toMatch(options);
});

test("PROJECT is in kubebuilder's format", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  expect(folder.read("PROJECT").replace(/^#.*\n/gm, "")).toBe(`domain: example.com
layout:
- typescript.operator-path/v1
projectName: memcached-operator
repo: github.com/example/memcached-operator
resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: example.com
  group: cache
  kind: Memcached
  path: github.com/example/memcached-operator/api/v1alpha1
  version: v1alpha1
version: "3"
`);
});

test("adds a second kind at the markers, and keeps the author's changes", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  const main = join(folder.cwd, "src/main.ts");
  writeFileSync(
    main,
    folder.read("src/main.ts").replace("setupMemcached(manager);", "setupMemcached(manager); // mine"),
  );
  const controller = folder.read("controllers/memcached.controller.ts");
  const { code, stderr } = await folder.run(
    "create api --group cache --version v1alpha1 --kind CronJob --resource --controller --namespaced=false",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(folder.read("controllers/memcached.controller.ts")).toBe(controller);
  expect(folder.read("src/main.ts")).toContain(
    "setupMemcached(manager); // mine\nsetupCronJob(manager);\n// +kubebuilder:scaffold:builder",
  );
  for (const file of ["src/main.ts", "controllers/suite.ts"]) {
    expect(folder.read(file)).toMatch(/^ +memcachedsV1alpha1,\n +cronJobsV1alpha1,$/m);
    expect(folder.read(file)).toContain("import { cronJobs as cronJobsV1alpha1 } from");
  }
  expect(folder.read("config/crd/kustomization.yaml")).toContain(
    "- bases/cache.example.com_memcacheds.yaml\n- bases/cache.example.com_cronjobs.yaml\n",
  );
  expect(folder.read("api/v1alpha1/cronjob.types.ts")).toContain("+kubebuilder:resource:scope=Cluster");
  const generated = folder.read("api/v1alpha1/zz_generated.resources.ts");
  expect(generated).toContain("export const memcacheds:");
  expect(generated).toContain("export const cronJobs:");
});

test("adds kinds with the same name and version in two groups, and a kind whose variable would be reserved", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run("edit --multigroup");
  for (const kind of ["cache Memcached", "store Memcached", "store Function"]) {
    const flags = `--group ${kind.replace(" ", " --version v1 --kind ")}`;
    expect((await folder.run(`create api ${flags} --resource --controller`)).code).toBe(0);
    expect((await folder.run(`create webhook ${flags} --defaulting`)).code).toBe(0);
  }
  for (const file of ["src/main.ts", "controllers/suite.ts"]) {
    const text = folder.read(file);
    expect(text).toMatch(/^ +memcachedsV1OfCache,\n +memcachedsV1OfStore,\n +functionsV1OfStore,$/m);
    const imported = [...text.matchAll(/ as (\w+) } from/g)].map(([, name]) => name);
    expect(imported).toEqual([...new Set(imported)]);
  }
  expect(folder.read("api/store/v1/function.webhook.ts")).toContain("setDefaults(object: Function)");
  expect((await folder.run("generate")).code).toBe(0);
  const names = folder.read("config/webhook/manifests.yaml").match(/^ {2}name: m.*kb\.io$/gm);
  expect(names).toEqual(
    ["mcache-memcached", "mstore-function", "mstore-memcached"].map((name) => `  name: ${name}-v1.kb.io`),
  );
});

test("inserts a line again if the author has commented it out, but not if it only has a comment", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  const path = "config/default/kustomization.yaml";
  writeFileSync(join(folder.cwd, path), folder.read(path).replace("- ../manager", "# - ../crd\n$&"));
  await folder.run(apiLine);
  writeFileSync(join(folder.cwd, path), folder.read(path).replace(/^- \.\.\/crd$/m, "$& # mine"));
  await folder.run(apiLine.replace("Memcached", "Proxy"));
  expect(folder.read(path).match(/^- \.\.\/crd.*$/gm)).toEqual(["- ../crd # mine"]);
});

test("adds earlier kinds to the suite of a later controller", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine.replace("--controller", "--controller=false"));
  expect(folder.files()).not.toHaveProperty("controllers/suite.ts");
  const { code } = await folder.run(
    "create api --group cache --version v1 --kind Memcached --resource --controller",
  );
  expect(code).toBe(0);
  expect(folder.read("controllers/suite.ts")).toMatch(/^ +memcachedsV1alpha1,\n +memcachedsV1,$/m);
});

test("asks for missing flags", async () => {
  using folder = openFolder();
  const questions: string[] = [];
  const prompts = {
    text: async (message: string, _check: unknown, example: string) => {
      questions.push(message);
      return example;
    },
    confirm: async (message: string) => {
      questions.push(message);
      return true;
    },
  };
  await folder.run("init", { prompts });
  const { code } = await folder.run("create api --group cache", { prompts });
  expect(code).toBe(0);
  expect(questions).toEqual([
    "Domain of your groups (--domain)",
    "Version (--version)",
    "Kind (--kind)",
    "Create Resource (--resource)?",
    "Create Controller (--controller)?",
  ]);
  expect(folder.read("api/v1alpha1/memcached.types.ts")).toContain("interface Memcached ");
});

test("the version is that of package.json", async () => {
  using folder = openFolder();
  const { stdout } = await folder.run("version");
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const manifest = JSON.parse(text) as { version: string };
  expect(stdout).toContain(
    `operator-sdk version: "v${manifest.version}", kubernetes version: "1.36", node version: "v`,
  );
});

const webhookLine = "create webhook --group cache --version v1alpha1 --kind Memcached";

test("adds the webhook server once, and uses it in config/default", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  await folder.run(apiLine.replace("Memcached", "Proxy"));
  const { code, stderr, stdout } = await folder.run(`${webhookLine} --defaulting --programmatic-validation`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("\napi/v1alpha1/memcached.webhook.ts\n");
  expect((await folder.run(`${webhookLine.replace("Memcached", "Proxy")} --defaulting`)).code).toBe(0);
  const main = folder.read("src/main.ts");
  expect(main.match(/issueCertificates/g)).toHaveLength(1);
  expect(main).toContain(
    "  setupMemcachedV1alpha1Webhook(manager);\n  setupProxyV1alpha1Webhook(manager);\n  // +kubebuilder:scaffold:webhooks\n",
  );
  expect(folder.read("api/v1alpha1/proxy.webhook.ts")).not.toContain("validate");
  expect(folder.read("config/default/kustomization.yaml").match(/manager_webhook_patch/g)).toHaveLength(1);
  expect(folder.read("PROJECT")).toContain(
    "  webhooks:\n    defaulting: true\n    validation: true\n    webhookVersion: v1\n",
  );
});

test("conversion makes the given version the hub, and keeps the older storage version", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  await folder.run("create api --group cache --version v1 --kind Memcached --resource --controller=false");
  const { code, stderr } = await folder.run(`${webhookLine.replace("v1alpha1", "v1")} --conversion`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(folder.read("api/v1alpha1/memcached.types.ts")).toContain("+kubebuilder:storageversion");
  expect(folder.read("api/v1/memcached.types.ts")).not.toContain("+kubebuilder:storageversion");
  expect(folder.read("config/samples/cache_v1alpha1_memcached.yaml")).toMatch(
    /^ {2}name: memcached-sample$/m,
  );
  expect(folder.read("config/samples/cache_v1_memcached.yaml")).toMatch(/^ {2}name: memcached-sample-v1$/m);
  expect(folder.read("api/v1/memcached.conversion.ts")).toContain("resource: v1alpha1,");
  expect(folder.read("src/main.ts")).toContain('"memcacheds.cache.example.com",');
  expect(Object.keys(folder.files())).not.toContain("api/v1/memcached.webhook.test.ts");
  expect(folder.read("config/webhook/kustomization.yaml")).not.toContain("manifests.yaml");
  expect(folder.read("PROJECT")).toContain("    conversion: true\n    spoke:\n    - v1alpha1\n");
});

test("generate writes files from types and markers", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  expect(await folder.run("generate")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(folder.read("config/crd/bases/cache.example.com_memcacheds.yaml")).toContain("foo:");
  expect(folder.read("config/rbac/role.yaml")).toContain("memcacheds");
  const types = "api/v1alpha1/memcached.types.ts";
  writeFileSync(join(folder.cwd, types), folder.read(types).replace("foo?: string", "foo?: number"));
  const { code, stderr } = await folder.run("generate");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^api\/v1alpha1\/memcached.types.ts:\d+:\d+: number is not specific enough[^\n]*\n$/,
  );
});

test.each([
  ["operator-sdk", 1, "in", "init"],
  ["operator-sdk create", 2, "w", "webhook"],
  ["operator-sdk create webhook --group cache", 5, "--def", "--defaulting"],
])("bash completes %s", async (line, at, started, completed) => {
  using folder = openFolder();
  const { stdout } = await folder.run("completion bash");
  const script = `${stdout}\nCOMP_WORDS=(${line} ${started}); COMP_CWORD=${at}; _operator_sdk; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim()).toBe(completed);
});
