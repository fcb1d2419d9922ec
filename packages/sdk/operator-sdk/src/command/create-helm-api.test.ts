import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { Rule } from "../helm/rule.ts";
import {
  backupLine,
  helmLine,
  helmPlugin,
  hybridLine,
  openHybrid,
  smallChart,
  writeFiles,
} from "../testing/hybrid.ts";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

test("writes PROJECT and watches.yaml for a Helm API and one in TypeScript, and prints notes", async () => {
  using folder = await openHybrid();
  const { code, stdout, stderr } = await folder.run(helmLine);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Using helm \d+\.\d+\.\d+\nWriting kustomize manifests for you to edit\.\.\.\n/);
  expect(stdout).toContain("\nhelm-charts/memcached/values.yaml\n");
  expect(stdout).toContain(
    "Note: with other values the chart also renders HTTPRoute, HorizontalPodAutoscaler, Ingress: their rules are comments in config/rbac/helm_role.yaml.\n",
  );
  const second = await folder.run(backupLine);
  expect(second).toMatchObject({ code: 0, stderr: "" });
  expect(second.stdout).toMatch(/^Note: --plugins go\/v3: the project is in TypeScript, as ever\.\n/);
  expect(folder.read("PROJECT").replace(/^#.*\n/gm, "")).toBe(`domain: my.domain
layout:
- hybrid.helm.sdk.operatorframework.io/v1-alpha
- typescript.operator-path/v1
projectName: memcached-operator
repo: github.com/example/memcached-operator
resources:
- api:
    crdVersion: v1
    namespaced: true
  domain: my.domain
  group: cache
  kind: Memcached
  version: v1alpha1
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: my.domain
  group: cache
  kind: MemcachedBackup
  path: github.com/example/memcached-operator/api/v1
  version: v1
version: "3"
`);
  expect(folder.read("watches.yaml")).toBe(`# Use the 'create api' subcommand to add watches to this file.
- group: cache.my.domain
  version: v1alpha1
  kind: Memcached
  chart: helm-charts/memcached
# +kubebuilder:scaffold:watch
`);
  expect(parse(folder.read("config/crd/kustomization.yaml"))).toMatchObject({
    resources: ["bases/cache.my.domain_memcacheds.yaml", "bases/cache.my.domain_memcachedbackups.yaml"],
  });
});

test("adds the chart of helm create, and a sample with all its values, sorted", async () => {
  using folder = await openHybrid();
  await folder.run(helmLine);
  const other = join(folder.cwd, "../other");
  mkdirSync(other);
  await execa(folder.env.HELM, ["create", "memcached"], { cwd: other });
  for (const file of [".helmignore", "Chart.yaml", "values.yaml", "templates/_helpers.tpl"]) {
    expect(folder.read(`helm-charts/memcached/${file}`)).toBe(
      readFileSync(join(other, "memcached", file), "utf8"),
    );
  }
  const sample = folder.read("config/samples/cache_v1alpha1_memcached.yaml");
  expect(sample).toContain(
    "spec:\n  # Default values copied from <project_dir>/helm-charts/memcached/values.yaml\n  affinity: {}\n  autoscaling:\n    enabled: false\n",
  );
  expect(sample).toContain('\n  fullnameOverride: ""\n');
  expect(sample).toContain("\n    hosts:\n    - host: chart-example.local\n      paths:\n      - path: /\n");
  const { spec } = parse(sample) as { spec: object };
  expect(spec).toEqual(parse(folder.read("helm-charts/memcached/values.yaml")));
  expect(Object.keys(spec)).toEqual(Object.keys(spec).toSorted());
});

test("keeps the rules of the first API when another one is added, and make manifests does not touch them", async () => {
  using folder = await openHybrid();
  await folder.run(helmLine);
  const rules = () => (parse(folder.read("config/rbac/helm_role.yaml")) as { rules: Rule[] }).rules;
  const first = rules();
  expect(first).toContainEqual({
    apiGroups: ["apps"],
    resources: ["deployments"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  });
  await writeFiles(join(folder.cwd, "../charts/small"), smallChart);
  expect(await folder.run(`${helmPlugin} --helm-chart ../charts/small`)).toMatchObject({
    code: 0,
    stderr: "",
  });
  await folder.run(backupLine);
  expect((await folder.run("generate")).code).toBe(0);
  expect(rules().slice(0, first.length)).toEqual(first);
  expect(rules().slice(first.length).at(-1)).toMatchObject({ apiGroups: [""], resources: ["configmaps"] });
  expect(folder.read("config/rbac/role.yaml")).toContain("memcachedbackups");
  expect(folder.read("config/rbac/kustomization.yaml")).toContain(
    "- role.yaml\n- role_binding.yaml\n- helm_role.yaml\n- helm_role_binding.yaml\n",
  );
  // The CRD is not overwritten either.
  expect(folder.read("config/crd/bases/cache.my.domain_memcacheds.yaml")).toContain(
    "x-kubernetes-preserve-unknown-fields: true",
  );
});

test("the commented rules are valid rules without the #", async () => {
  using folder = await openHybrid();
  await folder.run(helmLine);
  const text = folder.read("config/rbac/helm_role.yaml").replace(/^# (?=[- ] )/gm, "");
  const { rules } = parse(text) as { rules: Rule[] };
  expect(rules.flatMap(({ resources = [] }) => resources)).toEqual([
    ...[
      "secrets",
      "horizontalpodautoscalers",
      "events",
      "memcacheds",
      "memcacheds/status",
      "memcacheds/finalizers",
    ],
    ...["serviceaccounts", "services", "deployments", "horizontalpodautoscalers", "httproutes", "ingresses"],
  ]);
});

test("adds a chart from a folder or an archive, and uses one in helm-charts in its place", async () => {
  using folder = await openHybrid();
  const chart = await writeFiles(join(folder.cwd, "../charts/any"), smallChart);
  await folder.run(`${helmPlugin} --helm-chart ../charts/any`);
  expect(folder.read("watches.yaml")).toContain(
    "- group: charts.my.domain\n  version: v1alpha1\n  kind: SmallThing\n  chart: helm-charts/small-thing\n",
  );
  expect(folder.read("helm-charts/small-thing/templates/config.yaml")).toBe(
    smallChart["templates/config.yaml"],
  );
  expect(folder.read("config/samples/charts_v1alpha1_smallthing.yaml")).toMatch(
    /spec:\n {2}# Default values .*\n {2}answer: 42\n {2}zeal: 1\n$/,
  );

  using packed = await openHybrid();
  await execa(packed.env.HELM, ["package", chart], { cwd: join(packed.cwd, "..") });
  await packed.run([...helmLine.split(" "), "--helm-chart", join(packed.cwd, "../small-thing-0.1.0.tgz")]);
  expect(packed.read("helm-charts/small-thing/values.yaml")).toBe(smallChart["values.yaml"]);
  expect(packed.read("watches.yaml")).toContain("kind: Memcached\n  chart: helm-charts/small-thing\n");

  using own = await openHybrid();
  await writeFiles(join(own.cwd, "helm-charts/mine"), smallChart);
  expect(await own.run(`${helmLine} --helm-chart helm-charts/mine`)).toMatchObject({ code: 0, stderr: "" });
  expect(own.read("watches.yaml")).toContain("chart: helm-charts/mine\n");
  expect(Object.keys(own.files()).filter((path) => path.includes("small-thing"))).toEqual([]);
});

test("adds a chart from a repository in the requested version", async () => {
  using folder = await openHybrid();
  const served = join(folder.cwd, "../served");
  for (const version of ["0.1.0", "0.2.0"]) {
    const chart = await writeFiles(join(served, "source"), {
      ...smallChart,
      "Chart.yaml": `apiVersion: v2\nname: small-thing\nversion: ${version}\n`,
    });
    await execa(folder.env.HELM, ["package", chart], { cwd: served });
  }
  await execa(folder.env.HELM, ["repo", "index", "."], { cwd: served });
  const server = createServer((request, response) => {
    response.end(readFileSync(join(served, (request.url ?? "").slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const repository = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const line = `${helmLine} --helm-chart small-thing --helm-chart-repo ${repository}`;
  expect(await folder.rejected(`${line} --helm-chart-version 9.9.9`)).toMatch(
    /^Error: helm pull small-thing: chart "small-thing" .*9\.9\.9.*; nothing was written$/,
  );
  expect(await folder.run(`${line} --helm-chart-version 0.1.0`)).toMatchObject({ code: 0, stderr: "" });
  expect(folder.read("helm-charts/small-thing/Chart.yaml")).toContain("version: 0.1.0\n");
});

test("copies binary files, such as a chart within a chart", async () => {
  using folder = await openHybrid();
  const inner = await writeFiles(join(folder.cwd, "../inner"), {
    ...smallChart,
    "templates/ingress.yaml":
      "{{- if .Values.ingress }}\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: a }\n{{- end }}\n",
  });
  const chart = await writeFiles(join(folder.cwd, "../outer"), {
    "Chart.yaml":
      'apiVersion: v2\nname: outer\nversion: 0.1.0\ndependencies:\n- name: small-thing\n  version: 0.1.0\n  repository: "file://../inner"\n',
    "values.yaml": "",
  });
  mkdirSync(join(chart, "charts"));
  await execa(folder.env.HELM, ["package", inner], { cwd: join(chart, "charts") });
  expect(await folder.run(`${helmLine} --helm-chart ../outer`)).toMatchObject({ code: 0, stderr: "" });
  const archive = "charts/small-thing-0.1.0.tgz";
  expect(readFileSync(join(folder.cwd, "helm-charts/outer", archive))).toEqual(
    readFileSync(join(chart, archive)),
  );
  expect(folder.read("config/samples/cache_v1alpha1_memcached.yaml")).toMatch(/\nspec: \{\}\n$/);
  expect(folder.read("config/rbac/helm_role.yaml")).toContain("\n  - configmaps\n");
  expect(folder.read("config/rbac/helm_role.yaml")).toContain("\n#   - ingresses\n");
});

test("adds a chart that cannot be rendered without a value, and says which value is missing", async () => {
  using folder = await openHybrid();
  await writeFiles(join(folder.cwd, "../needy"), {
    ...smallChart,
    "templates/config.yaml": `${smallChart["templates/config.yaml"]}  host: {{ required "say which host" .Values.host }}\n`,
  });
  const { code, stdout } = await folder.run(`${helmLine} --helm-chart ../needy`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nNote: the chart cannot be rendered with its default values, .*say which host/);
  expect(folder.read("config/rbac/helm_role.yaml")).toContain("#   - configmaps\n");
});

test("a plain project has no file and no line for Helm", async () => {
  using folder = openFolder();
  await folder.run(initLine);
  await folder.run(apiLine);
  for (const [path, text] of Object.entries(folder.files())) expect(text, path).not.toMatch(/helm/i);
  using named = openFolder();
  await named.run(`${initLine} --plugins typescript/v1`);
  await named.run(`${apiLine} --plugins typescript/v1`);
  expect(named.files()).toEqual(folder.files());
  using go = openFolder();
  expect((await go.run(`${initLine} --plugins go/v4`)).stdout).toMatch(
    /^Note: --plugins go\/v4: the project is in TypeScript, as ever\.\n/,
  );
  await go.run(apiLine);
  expect(go.files()).toEqual(folder.files());
});

test("a hybrid project differs from a plain one only in the files for Helm", async () => {
  using plain = openFolder();
  await plain.run(hybridLine.replace(/--plugins \S+ /, ""));
  using hybrid = openFolder();
  expect((await hybrid.run(hybridLine)).stdout).toMatch(
    /Next: define a resource with:\n\$ operator-sdk create api --plugins helm\.sdk\.operatorframework\.io\/v1\n/,
  );
  const [before, after] = [plain.files(), hybrid.files()];
  expect(Object.keys(before).filter((path) => after[path] !== before[path])).toEqual([
    ...[".dockerignore", "Dockerfile", "Makefile", "PROJECT", "README.md", "config/manager/manager.yaml"],
    ...["config/rbac/kustomization.yaml", "package.json", "src/main.ts"],
  ]);
  expect(Object.keys(after).filter((path) => !(path in before))).toEqual([
    ...["config/rbac/helm_role.yaml", "config/rbac/helm_role_binding.yaml"],
    ...["helm-charts/.gitkeep", "watches.yaml"],
  ]);
  expect(JSON.parse(hybrid.read("package.json")).dependencies).toHaveProperty("@operator-path/helm-operator");
});
