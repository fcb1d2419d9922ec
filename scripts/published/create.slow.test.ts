import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collectTarballs, packPackages } from "@operator-path/operator-sdk";
import { expect, test } from "vitest";
import { openAuthorFolder } from "./author.ts";

const root = join(import.meta.dirname, "../..");
const manifest = { private: true, allowScripts: { "@mongodb-js/zstd": false, "node-liblzma": false } };

test("npm create starts a project from the tarballs alone, which is built and tested", {
  timeout: 900_000,
}, async () => {
  await using author = await openAuthorFolder();
  const tarballs = join(author.folder, "../tarballs");
  await collectTarballs(await packPackages({ root }), tarballs);
  await writeFile(join(author.folder, "package.json"), JSON.stringify(manifest));
  // npm create uses a package that is installed here, before it asks the registry.
  await author.run(`npm install ${tarballs}/*.tgz`);
  await author.run(
    `npm create @operator-path/operator store -- --domain acme.io --repo example.com/store --tarballs ${tarballs}`,
  );
  // Outside of the folder that has the packages.
  const store = join(author.folder, "../away/store");
  await mkdir(join(store, ".."));
  await cp(join(author.folder, "store"), store, { recursive: true });
  const inStore = (line: string) => author.run(`cd ${store}\n${line}`);
  await inStore("npm install");
  await inStore(
    "npx operator-sdk create api --group cache --version v1 --kind Shelf --resource --controller",
  );
  expect(await inStore("npm test")).toMatch(/Tests .*\d+ passed/);
  await inStore("npm run bundle");
  expect(await inStore("node dist/main.js --help 2>&1 || true")).not.toBe("");
});
