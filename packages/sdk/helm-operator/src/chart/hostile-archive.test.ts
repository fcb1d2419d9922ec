import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ChartError, type ChartLimits } from "./chart.ts";
import { loadChart } from "./load-chart.ts";
import { smallChart, type TarEntry, tar, temporaryFolder, tgz } from "./testing/temporary-chart.ts";

const mebibyte = 1024 * 1024;

/** Returns the message of a rejection. Fails when the archive is accepted, or when something is written. */
async function refusal(archive: Buffer, limits?: Partial<ChartLimits>): Promise<string> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "small-0.1.0.tgz");
  await writeFile(path, archive);
  const error: unknown = await loadChart(path, limits ? { limits } : {}).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ChartError);
  expect(await readdir(folder.path)).toEqual(["small-0.1.0.tgz"]);
  const { message } = error as ChartError;
  expect(message).toContain(path);
  return message.replaceAll(path, "PATH");
}

describe("rejects an archive", () => {
  it.each<[string, TarEntry]>([
    ["PATH: small/../../evil leads out of the chart", { path: "small/../../evil", data: "x" }],
    ["PATH: ../evil leads out of the chart", { path: "../evil", data: "x" }],
    ["PATH: small/templates/../../../evil leads out", { path: "small/templates/../../../evil", data: "x" }],
    ["PATH: small/.. leads out", { path: "small/..", data: "x" }],
    ["PATH: small\\..\\..\\evil leads out", { path: "small\\..\\..\\evil", data: "x" }],
    ["PATH: small/a\\..\\..\\evil leads out", { path: "small/a\\..\\..\\evil", data: "x" }],
    ["PATH: small/../ leads out", { path: "small/../", type: "Directory" }],
    ["PATH: /etc/evil is an absolute path", { path: "/etc/evil", data: "x" }],
    ["PATH: \\etc\\evil is an absolute path", { path: "\\etc\\evil", data: "x" }],
    ["PATH: small//etc/evil is an absolute path", { path: "small//etc/evil", data: "x" }],
    ["PATH: C:\\evil is an absolute path", { path: "C:\\evil", data: "x" }],
    ["PATH: small/c:/evil is an absolute path", { path: "small/c:/evil", data: "x" }],
    ["PATH: evil is not in the chart's folder", { path: "evil", data: "x" }],
    [
      "PATH: small/a is a link to /etc/passwd",
      { path: "small/a", type: "SymbolicLink", linkpath: "/etc/passwd" },
    ],
    [
      "PATH: small/a is a link to values.yaml",
      { path: "small/a", type: "SymbolicLink", linkpath: "values.yaml" },
    ],
    ["PATH: small/a is a link to ../../x", { path: "small/a", type: "Link", linkpath: "../../x" }],
    ["PATH: small/a is of the type CharacterDevice", { path: "small/a", type: "CharacterDevice" }],
    ["PATH: small/a is of the type FIFO", { path: "small/a", type: "FIFO" }],
    [
      "PATH: small/a is of the type OldGnuLongPath",
      { path: "small/a", type: "OldGnuLongPath", size: 2 * mebibyte },
    ],
    ["PATH contains values.yaml twice", { path: "small/values.yaml", data: "replicas: 9" }],
    ["PATH contains values.yaml twice", { path: "other/./values.yaml", data: "replicas: 9" }],
  ])("%s", async (message, entry) => {
    expect(await refusal(tgz(smallChart, [entry]))).toContain(message);
    expect(
      await refusal(
        tgz({}, [
          entry,
          { path: "small/Chart.yaml", data: smallChart["Chart.yaml"] ?? "" },
          { path: "small/values.yaml" },
        ]),
      ),
    ).toContain(message.replace("small/values", "values"));
  });

  it("in an archive in charts/, too", async () => {
    const inner = tgz(smallChart, [{ path: "small/../../evil", data: "x" }]);
    const outer = tgz({ ...smallChart, "charts/inner.tgz": inner });
    expect(await refusal(outer)).toContain("PATH/charts/inner.tgz: small/../../evil leads out of the chart");
    const outermost = tgz({ ...smallChart, "charts/folder/charts/outer.tgz": outer });
    expect(await refusal(outermost)).toContain(
      "/charts/outer.tgz/charts/inner.tgz: small/../../evil leads out",
    );
  });

  it.each<[string, Buffer]>([
    ["PATH is not a .tgz file", Buffer.from("replicas: 1\n")],
    ["PATH is not a .tgz file", tar([{ path: "small/Chart.yaml", data: "name: small" }])],
    ["PATH is damaged", tgz(smallChart).subarray(0, 200)],
    ["PATH is damaged", Buffer.alloc(0)],
    ["PATH is damaged", gzipSync("x".repeat(5_000))],
    ["PATH is compressed twice", gzipSync(tgz(smallChart))],
    ["PATH is an archive without files", tgz({}, [{ path: "small/", type: "Directory" }])],
    ["PATH has no Chart.yaml", tgz({ "values.yaml": "" })],
  ])("%s (%#)", async (message, archive) => {
    expect(await refusal(archive)).toContain(message);
  });
});

describe("stops reading an archive", () => {
  it("at the largest size of a file that helm reads", async () => {
    const zeros = Buffer.alloc(5 * mebibyte + 1);
    const archive = tgz({ ...smallChart, zeros });
    expect(archive.length).toBeLessThan(10_000);
    expect(await refusal(archive)).toContain(
      "small/zeros has 5242881 bytes, but a file of a chart may have at most 5242880",
    );
  });

  it("when a header announces more than follows", async () => {
    const archive = tgz(smallChart, [{ path: "small/huge", size: 8 * 2 ** 30 - 1 }]);
    expect(await refusal(archive)).toContain("small/huge has 8589934591 bytes");
    expect(await refusal(tgz(smallChart, [{ path: "small/short", size: 4_000 }]))).toContain(
      "PATH is damaged",
    );
  });

  it("at the largest size of all files, including archives in charts/", async () => {
    const limits = { totalBytes: 40_000 };
    const zeros = Buffer.alloc(15_000);
    expect(await refusal(tgz({ ...smallChart, a: zeros, b: zeros, c: zeros }), limits)).toContain(
      "more than 40000 bytes",
    );
    const inner = tgz({ ...smallChart, a: zeros, b: zeros });
    const outer = tgz({ ...smallChart, a: zeros, "charts/inner.tgz": inner });
    expect(await refusal(outer, limits)).toContain("PATH contains more than 40000 bytes, unpacked");
  });

  it("at the largest number of entries, including folders", async () => {
    const folders = Array.from(
      { length: 60 },
      (_, i): TarEntry => ({ path: `small/f${i}/`, type: "Directory" }),
    );
    expect(await refusal(tgz(smallChart, folders), { entries: 50 })).toContain(
      "PATH contains more than 50 files and folders",
    );
  });

  it("when only padding follows", async () => {
    const padded = gzipSync(Buffer.concat([tar([{ path: "small/Chart.yaml" }]), Buffer.alloc(300_000)]));
    expect(await refusal(padded, { totalBytes: 100_000, entries: 100 })).toContain(
      "unpacks to more than 100000 bytes",
    );
  });

  it("when subcharts are nested too deeply", async () => {
    let archive = tgz(smallChart);
    for (let i = 0; i < 12; i++) archive = tgz({ ...smallChart, "charts/inner.tgz": archive });
    expect(await refusal(archive)).toContain("subcharts are nested deeper than 10");
  });
});
