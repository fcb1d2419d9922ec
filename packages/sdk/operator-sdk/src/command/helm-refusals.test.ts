// Invalid charts, watches and flags for a Helm API. Each causes one line, exit code 1, and no change of a
// file.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  backupLine,
  helmLine,
  helmPlugin,
  hybridLine,
  openHybrid,
  smallChart,
  type TarEntry,
  tarOf,
  writeFiles,
} from "../testing/hybrid.ts";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

describe("flags", () => {
  test.each([
    [helmPlugin, "--group, --version, --kind are missing"],
    [`${helmLine} --resource=false`, "--resource=false: a Helm API always has a CRD and a chart"],
    [`${helmLine} --controller=false`, "--controller=false: a Helm API always has a CRD and a chart"],
    [`${helmLine} --namespaced=false`, "--namespaced=false: helm releases are namespaced"],
    [`${helmLine} --force`, "--force: operator-sdk does not overwrite the files of a Helm API"],
    [
      `${helmLine} --helm-chart-version 1.2.3`,
      "--helm-chart-version 1.2.3: the chart is missing: add --helm-chart",
    ],
    [`${helmLine} --helm-chart-repo https://charts.example.com`, "the chart is missing: add --helm-chart"],
    [`${apiLine} --helm-chart x`, "--helm-chart x: charts are for Helm APIs: add --plugins helm.sdk"],
    [`${apiLine} --plugins ansible/v1`, "the plugins are typescript/v1, helm.sdk.operatorframework.io/v1"],
    [`${apiLine} --plugins hybrid.helm.sdk.operatorframework.io`, "the plugins are typescript/v1, helm.sdk"],
  ])("rejects %s", async (line, message) => {
    using folder = await openHybrid();
    expect(await folder.rejected(line)).toContain(message);
  });

  test("rejects a project that was created without the plugin", async () => {
    using folder = openFolder();
    await folder.run(initLine);
    expect(await folder.rejected(helmLine)).toContain(
      "this project does not support Helm APIs: create one with operator-sdk init --plugins hybrid.helm.sdk.operatorframework.io",
    );
  });

  test("rejects a machine without helm", async () => {
    using folder = await openHybrid();
    const without: readonly [env: NodeJS.ProcessEnv, message: string][] = [
      [
        { PATH: "/nowhere" },
        "there is no helm on the PATH: install helm 4 (https://helm.sh/docs/intro/install)",
      ],
      [{ HELM: "/nowhere/helm" }, 'HELM="/nowhere/helm" is not a program: install helm 4'],
      [
        { HELM: "false", PATH: process.env.PATH },
        "false exited with code 1 without a message: set HELM to the path of helm",
      ],
    ];
    using same = openFolder();
    await same.run(hybridLine);
    for (const [env, message] of without) expect(await same.rejected(helmLine, { env })).toContain(message);
    expect((await folder.run(helmLine)).code).toBe(0);
  });
});

describe("kinds", () => {
  test("rejects an existing kind, with types or with a chart", async () => {
    using folder = await openHybrid();
    await folder.run(helmLine);
    await folder.run(backupLine);
    expect(await folder.rejected(helmLine)).toContain("Memcached in cache already exists in v1alpha1");
    expect(await folder.rejected(helmLine.replace("v1alpha1", "v1"))).toContain("already exists in v1alpha1");
    expect(await folder.rejected(helmLine.replace("Memcached", "MemcachedBackup"))).toContain(
      "MemcachedBackup in cache already exists in v1",
    );
    expect(await folder.rejected(apiLine.replace("v1alpha1", "v1"))).toContain(
      "Memcached in cache is a Helm API with a chart: give the kind in TypeScript another name",
    );
    expect(
      await folder.rejected("create webhook --group cache --version v1alpha1 --kind Memcached --defaulting"),
    ).toContain("is a Helm API and has no types for webhooks");
  });

  test("rejects a kind with the same name in another group, unless the project is multigroup", async () => {
    using folder = await openHybrid();
    await folder.run(helmLine);
    const typed = apiLine.replace("cache", "other");
    const charted = helmLine.replace("cache", "third");
    for (const line of [typed, charted]) {
      expect(await folder.rejected(line)).toContain(
        "the group cache also has a kind Memcached, and both would have the same files: run operator-sdk edit --multigroup first",
      );
    }
    await folder.run("edit --multigroup");
    expect(await folder.run(typed)).toMatchObject({ code: 0, stderr: "" });
    expect(folder.read("config/rbac/other_memcached_editor_role.yaml")).toContain("- other.my.domain\n");
    expect(folder.read("config/rbac/memcached_editor_role.yaml")).toContain("- cache.my.domain\n");
  });

  test("rejects a chart whose name is not a valid kind", async () => {
    using folder = await openHybrid();
    await writeFiles(join(folder.cwd, "../chart"), {
      ...smallChart,
      "Chart.yaml": "apiVersion: v2\nname: 7zip\nversion: 0.1.0\n",
    });
    expect(await folder.rejected(`${helmPlugin} --helm-chart ../chart`)).toContain(
      '--kind "7zip" is not a valid kind',
    );
  });
});

describe("watches.yaml", () => {
  const entry = (chart: string) =>
    `- group: cache.my.domain\n  version: v1\n  kind: Proxy\n  chart: ${chart}\n`;
  const marker = "# +kubebuilder:scaffold:watch\n";

  test.each([
    [
      "27 a kind twice",
      `${entry("c")}${entry("c")}`,
      "watches.yaml:7: entries [0] and [1]: both are for cache.my.domain/v1, Kind=Proxy: a kind has one chart",
    ],
    [
      "28 no version",
      entry("c").replace("  version: v1\n", ""),
      "watches.yaml:1: entry [0]: version is missing: add version: v1alpha1",
    ],
    [
      "28 no kind",
      entry("c").replace("  kind: Proxy\n", ""),
      "watches.yaml:1: entry [0]: kind is missing: add kind: Memcached",
    ],
    [
      "29 a missing chart",
      entry("nowhere"),
      "/memcached-operator/nowhere: a chart is a folder with a Chart.yaml, or a .tgz file",
    ],
    [
      "30 a chart that leads out",
      entry("../../etc"),
      "watches.yaml:4: entry [0]: chart ../../etc leads out of",
    ],
    ["30 an absolute chart", entry("/etc"), "chart /etc is an absolute path"],
    ["30 a chart that is a link to outside the project", entry("link"), "chart link leads through a link to"],
    ["no list", "group: cache\n", "watches.yaml:1: it is not a list: begin each entry with a dash"],
    [
      "an entry for the same kind",
      entry("c").replace("Proxy", "Memcached").replace("v1\n", "v1alpha1\n"),
      "watches.yaml already has an entry for cache.my.domain/v1alpha1, Kind=Memcached",
    ],
  ])("rejects %s", async (_name, text, message) => {
    using folder = await openHybrid();
    await writeFiles(join(folder.cwd, "c"), smallChart);
    mkdirSync(join(folder.cwd, "../elsewhere"));
    symlinkSync("../elsewhere", join(folder.cwd, "link"));
    writeFileSync(join(folder.cwd, "watches.yaml"), `${text}${marker}`);
    expect(await folder.rejected(helmLine)).toContain(message);
  });

  test("rejects a missing file, one without its marker, and a link", async () => {
    using folder = await openHybrid();
    const file = join(folder.cwd, "watches.yaml");
    writeFileSync(file, "[]\n");
    expect(await folder.rejected(helmLine)).toContain(
      'watches.yaml has no line "+kubebuilder:scaffold:watch":',
    );
    rmSync(file);
    expect(await folder.rejected(helmLine)).toContain("watches.yaml is missing: restore it from git");
    symlinkSync("/etc/hostname", file);
    expect(await folder.rejected(helmLine)).toContain("watches.yaml is a link that leads out of the project");
  });
});

describe("charts", () => {
  test.each([
    [
      "29 a path without a chart",
      "./nowhere",
      "there is no chart at",
      "/memcached-operator/nowhere: a chart is a folder",
    ],
    [
      "29 an unknown repository",
      "nowhere/chart",
      "nowhere/chart does not exist here, and helm pull does not find it: repo nowhere not found",
      "",
    ],
    [
      "29 a repository that does not answer",
      "oci://127.0.0.1:1/charts/x",
      "helm pull oci://127.0.0.1:1/charts/x: ",
      "connection refused",
    ],
    ["30 a folder that is not a chart", "../plain", "/plain has no Chart.yaml: is it a chart", ""],
    [
      "30 a link to a file elsewhere in the chart",
      "../linked",
      "templates/secret.yaml is a link to",
      "outside the chart: replace it with a copy",
    ],
    [
      "30 a chart in helm-charts that is a link to outside the project",
      "helm-charts/outside",
      "chart helm-charts/outside leads through a link to",
      "copy the chart into it",
    ],
    [
      "31 an archive with a name that leads out",
      "../slip.tgz",
      "small-thing/../../evil leads out of the chart",
      "",
    ],
    ["31 an archive with a link", "../link.tgz", "small-thing/a is a link to /etc/passwd", ""],
    ["31 a file that is not an archive", "../none.tgz", "is not a .tgz file", ""],
  ])("rejects %s", async (_name, chart, ...messages) => {
    using folder = await openHybrid();
    const outside = dirname(folder.cwd);
    await writeFiles(join(outside, "plain"), { "values.yaml": "a: 1\n" });
    // Without a Chart.yaml, the other content of the folder does not matter.
    symlinkSync("/etc/passwd", join(outside, "plain/a-link"));
    await writeFiles(join(outside, "linked"), smallChart);
    symlinkSync("/etc/hostname", join(outside, "linked/templates/secret.yaml"));
    await writeFiles(join(outside, "outside"), smallChart);
    symlinkSync("../../outside", join(folder.cwd, "helm-charts/outside"));
    const files = Object.entries(smallChart).map(([name, data]) => ({ path: `small-thing/${name}`, data }));
    const archive = (entry: TarEntry) => gzipSync(tarOf([...files, entry]));
    writeFileSync(join(outside, "slip.tgz"), archive({ path: "small-thing/../../evil", data: "x" }));
    writeFileSync(join(outside, "link.tgz"), archive({ path: "small-thing/a", linkpath: "/etc/passwd" }));
    writeFileSync(join(outside, "none.tgz"), "no archive");
    const line = await folder.rejected(`${helmLine} --helm-chart ${chart}`);
    for (const message of messages) expect(line).toContain(message);
    expect(line).toMatch(/nothing was written$/);
  });

  test.each([
    [
      "a name that cannot be a folder",
      { "Chart.yaml": 'apiVersion: v2\nname: ".git"\nversion: 0.1.0\n' },
      'the chart\'s name ".git" cannot be the name of its folder',
    ],
    ["no version", { "Chart.yaml": "apiVersion: v2\nname: x\n" }, "version is missing: add version: 0.1.0"],
    ["invalid YAML in the values", { "values.yaml": "a: [\n" }, "values.yaml:2:1: "],
  ])("rejects a chart with %s", async (_name, files, message) => {
    using folder = await openHybrid();
    await writeFiles(join(folder.cwd, "../chart"), { ...smallChart, ...files });
    expect(await folder.rejected(`${helmLine} --helm-chart ../chart`)).toContain(message);
  });

  test("rejects a chart with missing dependencies", async () => {
    using folder = await openHybrid();
    await writeFiles(join(folder.cwd, "../chart"), {
      ...smallChart,
      "Chart.yaml": `${smallChart["Chart.yaml"]}dependencies:\n- { name: db, version: 1.0.0, repository: "https://charts.example.com" }\n`,
    });
    expect(await folder.rejected(`${helmLine} --helm-chart ../chart`)).toMatch(
      /^Error: the chart's dependencies are missing: run helm dependency build in its folder first; helm reports: .*db/,
    );
  });

  test("rejects helm-charts that is a link to outside the project", async () => {
    using folder = await openHybrid();
    rmSync(join(folder.cwd, "helm-charts"), { recursive: true });
    mkdirSync(join(folder.cwd, "../elsewhere"));
    symlinkSync("../elsewhere", join(folder.cwd, "helm-charts"));
    expect(await folder.rejected(helmLine)).toContain("helm-charts is a link that leads out of the project");
  });

  test("rejects an existing folder with the name of the chart, and a version for a path", async () => {
    using folder = await openHybrid();
    await writeFiles(join(folder.cwd, "helm-charts/memcached"), smallChart);
    expect(await folder.rejected(helmLine)).toContain(
      "helm-charts/memcached already exists: move it away, or use it with --helm-chart helm-charts/memcached",
    );
    expect(
      await folder.rejected(`${helmLine} --helm-chart helm-charts/memcached --helm-chart-version 1.0.0`),
    ).toContain(
      "--helm-chart-version 1.0.0 is only for a chart in a repository, but helm-charts/memcached is a path",
    );
  });
});
