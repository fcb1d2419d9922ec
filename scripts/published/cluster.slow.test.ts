import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packPackages, referenceTo } from "@operator-path/operator-sdk";
import { expect, test } from "vitest";
import { openAuthorFolder } from "./author.ts";

const root = join(import.meta.dirname, "../..");
const askWithClient = `import { createClient, loadKubeConfig, nodes } from "@operator-path/client";
const client = createClient(loadKubeConfig());
for (const { metadata } of (await client.resource(nodes).list()).items) console.log(metadata.name);
await client.close();
`;
// As a scaffolded project says it: without this npm compiles an optional dependency of just-bash, for minutes.
const manifest = { private: true, allowScripts: { "@mongodb-js/zstd": false, "node-liblzma": false } };

test("the tarballs alone give an author a cluster in an empty folder", { timeout: 600_000 }, async () => {
  const packed = await packPackages({ root, names: ["@operator-path/cluster"] });
  await using author = await openAuthorFolder();
  await writeFile(join(author.folder, "package.json"), JSON.stringify(manifest));
  const state = join(author.folder, "../state/operator-path/clusters");
  await author.run(`npm install ${packed.map((found) => referenceTo(found, author.folder)).join(" ")}`);
  const up = await author.run("npx operator-path up --name shop");
  try {
    expect(up).toMatch(/^cluster shop is up at https:\/\/127\.0\.0\.1:\d+\n/);
    const exports = up.split("\n").filter((line) => line.startsWith("export "));
    const nodes = await author.run([...exports, "kubectl get nodes --output=name"].join("\n"));
    expect(nodes).toBe("node/shop-control-plane");
    await writeFile(join(author.folder, "ask.mjs"), askWithClient);
    expect(await author.run([...exports, "node ask.mjs"].join("\n"))).toBe("shop-control-plane");
    expect(await author.run("npx operator-path status --name shop")).toContain("shop-control-plane");
    expect(await author.attempt("npx operator-path status")).toMatchObject({
      ...{ exitCode: 1, stdout: "" },
      stderr: expect.stringMatching(/^error: no cluster dev is running; running: shop \(use --name shop\)$/m),
    });
  } finally {
    expect(await author.run("npx operator-path down --name shop")).toBe(
      "cluster shop is stopped, and its files are removed",
    );
  }
  expect(await readdir(state)).toEqual([]);
  expect(await author.attempt("npx operator-path status")).toMatchObject({
    ...{ exitCode: 1, stdout: "" },
    stderr: expect.stringMatching(/^error: no cluster dev is running; `npx operator-path up` starts one$/m),
  });
});
