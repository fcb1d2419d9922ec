import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ChartError } from "./chart.ts";
import { readChartFiles } from "./chart-files.ts";
import { type LoadChartOptions, loadChart } from "./load-chart.ts";
import { smallChart, temporaryFolder, tgz, writeFiles } from "./testing/temporary-chart.ts";

async function refusal(path: string, options?: LoadChartOptions): Promise<string> {
  const error: unknown = await loadChart(path, options).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ChartError);
  return (error as ChartError).message;
}

describe("loadChart", () => {
  it("reads a folder and an archive alike", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(join(folder.path, "small"), smallChart);
    await writeFile(`${chart}.tgz`, tgz(smallChart));
    const read = await loadChart(chart);
    expect(read).toEqual({
      path: chart,
      name: "small",
      version: "0.1.0",
      appVersion: "1.27.1",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      values: { replicas: 1, image: { repository: "nginx" } },
      crds: false,
    });
    expect(await loadChart(`${chart}.tgz`)).toEqual({ ...read, path: `${chart}.tgz` });
    expect(await readChartFiles(`${chart}.tgz`)).toEqual(await readChartFiles(chart));
  });

  it("changes the digest with each name and byte, and not with ignored files", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(folder.path, { ...smallChart, ".helmignore": "*.swp\n.git/\n" });
    const digests = [(await loadChart(chart)).digest];
    const changes: Readonly<Record<string, string>>[] = [
      { "templates/config.yaml": "# changed" },
      { "templates/other.yaml": "" },
      { "templates/config.yaml": `${smallChart["templates/config.yaml"]}\n` },
      { "charts/inner/values.yaml": "a: 1" },
    ];
    for (const change of changes) {
      await writeFiles(chart, change);
      digests.push((await loadChart(chart)).digest);
    }
    expect(new Set(digests).size).toBe(digests.length);
    await writeFiles(chart, { ".git/index": "x", "values.yaml.swp": "x", "templates/.hidden": "x" });
    expect((await loadChart(chart)).digest).toBe(digests.at(-1));
  });

  it.each([
    ["crds/widgets.yaml", true],
    ["crds/deep/widgets.JSON", true],
    ["charts/inner/crds/widgets.yml", true],
    ["crds/README.md", false],
    ["templates/crds/widgets.yaml", false],
    ["charts/_inner/crds/widgets.yaml", false],
  ])("%s: it has CRDs: %s", async (name, crds) => {
    await using folder = await temporaryFolder();
    expect((await loadChart(await writeFiles(folder.path, { ...smallChart, [name]: "x: 1" }))).crds).toBe(
      crds,
    );
  });

  it("finds CRDs in an archive in charts/", async () => {
    await using folder = await temporaryFolder();
    const inner = tgz({ ...smallChart, "crds/widgets.yaml": "x: 1" });
    const files = { ...smallChart, "charts/inner-0.1.0.tgz": inner };
    expect((await loadChart(await writeFiles(folder.path, files))).crds).toBe(true);
  });

  it.each([
    [{ "Chart.yaml": "version: 0.1.0" }, "Chart.yaml: name is missing"],
    [
      { "Chart.yaml": "name: ../evil\nversion: 0.1.0" },
      'Chart.yaml: name "../evil" is not a valid chart name',
    ],
    [{ "Chart.yaml": "name: small" }, "Chart.yaml: version is missing"],
    [
      { "Chart.yaml": "name: small\nversion: latest" },
      'Chart.yaml: version "latest" is not a semantic version such as 1.2.3',
    ],
    [{ "Chart.yaml": "name: small\nversion: 0.1.0\ntype: library" }, "Chart.yaml: small is a library chart"],
    [{ "Chart.yaml": "- small" }, "Chart.yaml is not a table of fields"],
    [{ "Chart.yaml": "name: small\nversion: [" }, "Chart.yaml:2:11: "],
    [{ "values.yaml": "a:\n  b: 1\n c: 2\n" }, "values.yaml:3:"],
    [{ "values.yaml": "a: 1\n---\n- b\n" }, "values.yaml:3: values must be a table of keys"],
    [{ "values.yaml": `a: &a [x]\n${aliases()}` }, "values.yaml:1:1: Excessive alias count"],
    [{ ".helmignore": "*.swp\na/**/b\n" }, ".helmignore:2: helm does not know **"],
    [{ ".helmignore": "[a-\n" }, ".helmignore:1: [a- is not a valid pattern"],
  ])("%j: %s", async (files, message) => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(folder.path, { ...smallChart, ...files });
    expect(await refusal(chart)).toContain(join(chart, message));
  });

  it("rejects values that are nested too deeply", async () => {
    await using folder = await temporaryFolder();
    const values = `a: ${"[".repeat(20_000)}`;
    const chart = await writeFiles(folder.path, { ...smallChart, "values.yaml": values });
    expect(await refusal(chart)).toMatch(/values\.yaml:1:\d+: nested too deeply$/);
  });

  it("prints the path of a missing or invalid chart", async () => {
    await using folder = await temporaryFolder();
    const missing = join(folder.path, "missing");
    expect(await refusal(missing)).toContain(`there is no chart at ${missing}: a chart is a folder`);
    expect(await refusal(folder.path)).toContain(`${folder.path} has no Chart.yaml`);
    await writeFiles(folder.path, { "values.yaml": "a: 1" });
    expect(await refusal(join(folder.path, "values.yaml"))).toContain("values.yaml is not a .tgz file");
    expect(await refusal(join(folder.path, "values.yaml/x"))).toContain("there is no chart at");
  });

  it("treats __proto__ in values as data", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(folder.path, {
      ...smallChart,
      "values.yaml": "__proto__: {polluted: true}\na: 1\n",
    });
    const { values } = await loadChart(chart);
    expect(JSON.stringify(values)).toBe('{"__proto__":{"polluted":true},"a":1}');
    expect((values as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("a folder's links", () => {
  it("are followed within it", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(join(folder.path, "small"), { ...smallChart, "files/a/b.txt": "b" });
    await symlink("files/a", join(chart, "linked"));
    await symlink("../files/a/b.txt", join(chart, "templates/c.txt"));
    const files = await readChartFiles(chart);
    expect(files.filter(({ data }) => data.toString() === "b").map(({ name }) => name)).toEqual([
      "files/a/b.txt",
      "linked/b.txt",
      "templates/c.txt",
    ]);
    // The chart itself may be a link: its user has chosen it.
    await symlink("small", join(folder.path, "current"));
    expect((await loadChart(join(folder.path, "current"))).name).toBe("small");
  });

  it.each([
    ["../outside/secret.txt", "templates-link is a link to "],
    ["../outside", "outside the chart: replace it with a copy"],
    ["/etc/hostname", "outside the chart"],
    ["../small-too", "outside the chart"],
    ["templates/../../outside/secret.txt", "outside the chart"],
    ["missing", "templates-link is a link to a missing file"],
    ["templates-link", "is a link that leads back to itself"],
    [".", "templates-link is a link to a folder that contains it"],
  ])("to %s: %s", async (target, message) => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { "outside/secret.txt": "secret", "small-too/values.yaml": "a: 1" });
    const chart = await writeFiles(join(folder.path, "small"), smallChart);
    await symlink(target, join(chart, "templates-link"));
    const refused = await refusal(chart);
    expect(refused).toContain(message);
    expect(refused).toContain(chart);
    expect(refused).not.toContain("secret\n");
    // An ignored link is not checked.
    await writeFiles(chart, { ".helmignore": "templates-link\n" });
    expect((await loadChart(chart)).name).toBe("small");
  });

  it("to each other are not followed endlessly", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(folder.path, { ...smallChart, "a/x": "", "b/x": "" });
    await symlink("../b", join(chart, "a/to-b"));
    await symlink("../a", join(chart, "b/to-a"));
    expect(await refusal(chart)).toContain("a/to-b/to-a is a link to a folder that contains it");
  });

  it("are checked for .helmignore, too", async () => {
    await using folder = await temporaryFolder();
    const chart = await writeFiles(join(folder.path, "small"), smallChart);
    await writeFiles(folder.path, { outside: "*\n" });
    await symlink("../outside", join(chart, ".helmignore"));
    expect(await refusal(chart)).toContain(".helmignore is a link to");
  });
});

it("rejects a socket in a folder", async () => {
  await using folder = await temporaryFolder();
  const chart = await writeFiles(folder.path, smallChart);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(chart, "socket"), resolve));
  try {
    expect(await refusal(chart)).toContain("socket is neither a file nor a folder");
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it("stops reading a folder at the limits", async () => {
  await using folder = await temporaryFolder();
  const chart = await writeFiles(folder.path, { ...smallChart, big: Buffer.alloc(3_000), "a/b/c/d": "" });
  expect(await refusal(chart, { limits: { fileBytes: 2_000 } })).toContain(
    "big has 3000 bytes, but a file of a chart may have at most 2000",
  );
  expect(await refusal(chart, { limits: { totalBytes: 3_010 } })).toContain("contains more than 3010 bytes");
  expect(await refusal(chart, { limits: { entries: 5 } })).toContain("more than 5 files and folders");
});

describe("within a folder", () => {
  it("accepts a relative path that stays there", async () => {
    await using folder = await temporaryFolder();
    await writeFiles(join(folder.path, "helm-charts/small"), smallChart);
    const read = await loadChart("helm-charts/small", { within: folder.path });
    expect(read.path).toBe(join(folder.path, "helm-charts/small"));
    expect((await loadChart("helm-charts/../helm-charts/small", { within: folder.path })).name).toBe("small");
  });

  it.each([
    ["../../etc", "chart ../../etc leads out of "],
    ["helm-charts/../../outside", "leads out of"],
    ["..", "chart .. leads out of"],
    ["/etc", "chart /etc is an absolute path: write it relative to "],
    ["C:\\charts\\small", "is an absolute path"],
    ["link", "chart link leads through a link to "],
    ["link/templates", "leads through a link to"],
    ["missing", "there is no chart at "],
  ])("rejects %s", async (path, message) => {
    await using folder = await temporaryFolder();
    const project = await writeFiles(join(folder.path, "project"), { "watches.yaml": "[]" });
    await writeFiles(join(folder.path, "outside"), smallChart);
    await symlink("../outside", join(project, "link"));
    expect(await refusal(path, { within: project })).toContain(message);
  });

  it("reads what a link points to at that moment", async () => {
    await using folder = await temporaryFolder();
    const project = await writeFiles(folder.path, {
      "a/Chart.yaml": "name: a\nversion: 1.0.0",
      "b/Chart.yaml": "name: b\nversion: 1.0.0",
    });
    await symlink("a", join(project, "current"));
    const { path } = await loadChart("current", { within: project });
    await rm(join(project, "current"));
    await symlink("b", join(project, "current"));
    expect((await loadChart(path)).name).toBe("b");
  });
});

it("does not write where it reads", async () => {
  await using folder = await temporaryFolder();
  const chart = await writeFiles(folder.path, smallChart);
  await mkdir(join(chart, "charts"));
  const before = await readFile(join(chart, "Chart.yaml"));
  await loadChart(chart);
  expect(await readFile(join(chart, "Chart.yaml"))).toEqual(before);
});

/** Ten times ten times ten … aliases of one list. */
function aliases(): string {
  const names = "abcdefgh";
  return [...names.slice(1)].map((name, i) => `${name}: &${name} [${`*${names[i]},`.repeat(10)}]\n`).join("");
}
