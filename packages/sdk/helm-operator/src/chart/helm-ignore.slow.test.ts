import { join } from "node:path";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { beforeAll, expect, it } from "vitest";
import { readChartFiles } from "./chart-files.ts";
import { smallChart, temporaryFolder, writeFiles } from "./testing/temporary-chart.ts";

let helm: string;

beforeAll(async () => {
  helm = (await findTool("helm")).path;
});

const names = [
  "a.txt",
  "b.txt",
  "ab.md",
  ".env",
  "doc/a.txt",
  "doc/b.md",
  "doc/deep/a.txt",
  "x[1].txt",
  "dir.txt/a",
  "A.TXT",
];

// What a template sees as .Files: everything but templates, Chart.yaml, values.yaml and ignored files.
it.each([
  "",
  "a.txt",
  "/a.txt",
  "*.txt",
  "/*.txt",
  "*.txt/",
  "?.txt",
  "a*",
  "doc",
  "doc/",
  "/doc",
  "doc/a.txt",
  "doc/*",
  "doc/*/a.txt",
  "deep",
  "[ab].txt",
  "[^a].txt",
  "[a-z]*.md",
  "x\\[1\\].txt",
  "x[[]1].txt",
  ".*",
  ".?*",
  "!a.txt",
  "doc/\n!a.txt",
  "!doc/",
  "# a.txt\n\n  b.txt  ",
  "\uFEFFa.txt\r\nb.txt\r\n",
  "*.t+t",
  "(a|b).txt",
])("a .helmignore of %j ignores what helm ignores", async (text) => {
  await using folder = await temporaryFolder();
  const files = Object.fromEntries(names.map((name) => [name, "x"]));
  const seen = "kind: Seen\nfiles: {{ range $name, $_ := .Files }}{{ $name | b64enc }},{{ end }}\n";
  await writeFiles(folder.path, {
    ...smallChart,
    ...files,
    "templates/config.yaml": seen,
    ".helmignore": text,
  });
  const ours = (await readChartFiles(folder.path).catch(() => [])).map(({ name }) => name);
  const { exitCode, stdout } = await execa(helm, ["template", "seen", folder.path], {
    env: { HOME: join(folder.path, ".."), PATH: "", GOGC: "off", GOMEMLIMIT: "256MiB" },
    extendEnv: false,
    reject: false,
  });
  if (!ours.includes("Chart.yaml") || !ours.includes("templates/config.yaml")) {
    // A pattern that ignores even these files leaves no chart, or one without templates.
    expect(exitCode !== 0 || !stdout.includes("kind: Seen")).toBe(true);
    return;
  }
  const [, list = ""] = /^files: (.*)$/m.exec(stdout) ?? [];
  const theirs = list.split(",").map((name) => Buffer.from(name, "base64").toString());
  const inFiles = ours.filter((name) => !name.startsWith("templates/") && !(name in smallChart));
  expect(inFiles).toEqual(theirs.filter((name) => name !== "").sort());
});
