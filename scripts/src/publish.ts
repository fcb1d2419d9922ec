/** `pnpm publish-packages [npm publish flags]` publishes the tarballs of `pnpm dist` that the registry lacks. */
import { join } from "node:path";
import { collectTarballs, packPackages, readPublication } from "@operator-path/operator-sdk";
import { publishTarballs } from "./publish-tarballs.ts";

const root = join(import.meta.dirname, "../..");
// npm compares a package's repository with the one that signs its provenance.
if (readPublication(root).repository === undefined) {
  console.error(
    "error: package.json names no repository: docs/releasing.md says what to add before the first release",
  );
  process.exitCode = 1;
} else {
  const packed = await packPackages({ root });
  const files = await collectTarballs(packed, join(root, "dist"));
  const tarballs = packed.map(({ name, version }, index) => ({ name, version, file: files[index] ?? "" }));
  await publishTarballs(tarballs, { flags: process.argv.slice(2), say: console.log }).catch(
    (error: Error) => {
      console.error(`error: ${error.message}`);
      process.exitCode = 1;
    },
  );
}
