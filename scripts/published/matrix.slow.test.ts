import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { packPackages, referenceTo } from "@operator-path/operator-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthorFolder, openAuthorFolder } from "./author.ts";

/** What an author may combine: Node, TypeScript, module resolution, JavaScript, `require()`, one bundled file. */
const root = join(import.meta.dirname, "../..");
// 22.19 is the oldest that the packages promise.
const nodes = ["22.19", "24", "26"];
const typescripts = ["5.7", "5.9", "6.0", "7.0"];
const tooOld = "20";

/** An operator that stops after its first reconcile. It is JavaScript and TypeScript at once. */
const body = `const stop = new AbortController();
const manager = createManager(loadKubeConfig(), { scheme: createScheme(configMaps) });
newControllerManagedBy(manager)
  .for(configMaps)
  .complete(async ({ namespace, name }) => {
    const found = await manager.client.get(configMaps, { namespace, name });
    if (namespace !== "default" || found.metadata?.name !== "kube-root-ca.crt") return;
    console.log("reconciled");
    stop.abort();
  });
`;
const names = {
  "@operator-path/client": "configMaps, loadKubeConfig",
  "@operator-path/controller-runtime": "createManager, createScheme, newControllerManagedBy",
};
const lines = (line: (name: string, from: string) => string) =>
  Object.entries(names).map(([from, name]) => line(name, from));
const esm = `${lines((name, from) => `import { ${name} } from "${from}";\n`).join("")}${body}await manager.start(stop.signal);\n`;
const cjs = `${lines((name, from) => `const { ${name} } = require("${from}");\n`).join("")}${body}manager.start(stop.signal);\n`;
// As a scaffolded project bundles.
const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

let author: AuthorFolder;
let cluster: Awaited<ReturnType<typeof startEmbeddedCluster>>;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
  author = await openAuthorFolder({ KUBECONFIG: cluster.kubeconfigPath });
  const packed = await packPackages({ root, names: ["@operator-path/controller-runtime"] });
  const file = (name: string, text: string) => writeFile(join(author.folder, name), text);
  await file(
    "package.json",
    JSON.stringify({ private: true, type: "module", allowScripts: { esbuild: true } }),
  );
  const compilers = typescripts.map((version) => `typescript-${version}@npm:typescript@~${version}.0`);
  await author.run(
    `npm install ${[...packed.map((found) => referenceTo(found, author.folder)), ...compilers].join(" ")} esbuild @types/node@22`,
  );
  for (const version of [tooOld, ...nodes]) {
    const folder = join(author.folder, `../node-${version}`);
    await mkdir(folder);
    await author.run(
      `cd ${folder} && echo '{ "allowScripts": { "node": true } }' >package.json && npm install node@${version}`,
    );
  }
  await file("operator.ts", esm);
  await file("operator.mjs", esm);
  await file("operator.cjs", cjs);
  await author.run(
    `npx esbuild operator.ts --bundle --platform=node --target=node22 --format=esm --outfile=dist/bundle.mjs --log-level=warning --banner:js="${banner}"`,
  );
}, 600_000);
afterAll(async () => {
  await author?.[Symbol.asyncDispose]();
  await cluster?.stop();
});

const nodeOf = (version: string): string => `../node-${version}/node_modules/node/bin/node`;

describe.each(typescripts)("TypeScript %s", (version) => {
  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("checks an operator with module %s and moduleResolution %s", async (module, moduleResolution) => {
    const flags = {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: "false",
      },
      ...{ target: "es2023", module, moduleResolution, types: "node", noEmit: true },
    };
    const options = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const program = `node node_modules/typescript-${version}/bin/tsc`;
    expect(await author.run(`${program} --version`)).toContain(`Version ${version}.`);
    expect(await author.run(`${program} ${options.join(" ")} operator.ts`)).toBe("");
  });
});

describe.each(nodes)("Node %s", (version) => {
  test.each([
    ["JavaScript", "operator.mjs"],
    ["require()", "operator.cjs"],
    ["one bundled file", "dist/bundle.mjs"],
  ])("runs an operator from %s", async (_, program) => {
    expect(await author.run(`${nodeOf(version)} --version`)).toMatch(new RegExp(`^v${version}\\.`));
    expect(await author.run(`${nodeOf(version)} ${program} 2>/dev/null`)).toContain("reconciled");
  });
});

test("Node 20 is refused in one line that says what is needed", async () => {
  const { exitCode, stderr } = await author.attempt(`${nodeOf(tooOld)} operator.mjs`);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Error: @operator-path\/client needs Node 22\.19 or newer, and this is Node 20\./m);
});
