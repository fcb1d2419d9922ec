import { expect, test } from "vitest";
import { parse } from "yaml";
import { deriveLockfile } from "./lockfile.ts";

const workspaceLockfile = `
lockfileVersion: '9.0'
settings: { autoInstallPeers: false }
overrides: { something: '-' }
importers:
  .:
    devDependencies:
      only-ours: { specifier: ^1.0.0, version: 1.0.0 }
  packages/sdk/base:
    dependencies:
      deep: { specifier: 'catalog:', version: 2.0.0 }
    devDependencies:
      only-ours: { specifier: ^1.0.0, version: 1.0.0 }
  packages/sdk/top:
    dependencies:
      '@small/base': { specifier: 'workspace:^', version: link:../base }
  tutorials/project:
    dependencies:
      '@small/top': { specifier: ^1.0.0, version: link:../../packages/sdk/top }
    devDependencies:
      tool: { specifier: ^3.0.0, version: 3.1.0(peer@4.0.0) }
packages:
  deep@2.0.0: { resolution: { integrity: sha512-deep } }
  peer@4.0.0: { resolution: { integrity: sha512-peer } }
  tool@3.1.0: { resolution: { integrity: sha512-tool }, hasBin: true }
  only-ours@1.0.0: { resolution: { integrity: sha512-ours } }
snapshots:
  deep@2.0.0: {}
  peer@4.0.0: {}
  tool@3.1.0(peer@4.0.0): { dependencies: { peer: 4.0.0 } }
  only-ours@1.0.0: {}
`;
const packed = ["base", "top"].map((name) => ({
  ...{ name: `@small/${name}`, version: "1.2.3", integrity: `sha512-${name}` },
  ...{ tarball: `/cache/${name}.tgz`, importer: `packages/sdk/${name}` },
  ...(name === "top" && { hasBin: true }),
}));

const derive = (manifest: object, importer = "tutorials/project") =>
  parse(
    deriveLockfile({
      ...{ workspaceLockfile, importer, packed, folder: "/learners/project" },
      packageJson: JSON.stringify(manifest),
    }),
  );

test("takes workspace packages from tarballs, and everything else from the workspace's lockfile", () => {
  const lockfile = derive({
    dependencies: { "@small/top": "^1.0.0" },
    devDependencies: { tool: "^3.0.0" },
  });
  const [base, top] = ["file:../../cache/base.tgz", "file:../../cache/top.tgz"];
  expect(lockfile).toEqual({
    lockfileVersion: "9.0",
    settings: { autoInstallPeers: false },
    overrides: { "@small/base": base, "@small/top": top },
    importers: {
      ".": {
        dependencies: { "@small/top": { specifier: top, version: top } },
        devDependencies: { tool: { specifier: "^3.0.0", version: "3.1.0(peer@4.0.0)" } },
      },
    },
    packages: {
      [`@small/base@${base}`]: { resolution: { integrity: "sha512-base", tarball: base }, version: "1.2.3" },
      [`@small/top@${top}`]: {
        ...{ resolution: { integrity: "sha512-top", tarball: top }, version: "1.2.3" },
        hasBin: true,
      },
      "deep@2.0.0": { resolution: { integrity: "sha512-deep" } },
      "peer@4.0.0": { resolution: { integrity: "sha512-peer" } },
      "tool@3.1.0": { resolution: { integrity: "sha512-tool" }, hasBin: true },
    },
    snapshots: {
      [`@small/base@${base}`]: { dependencies: { deep: "2.0.0" } },
      [`@small/top@${top}`]: { dependencies: { "@small/base": base } },
      "deep@2.0.0": {},
      "peer@4.0.0": {},
      "tool@3.1.0(peer@4.0.0)": { dependencies: { peer: "4.0.0" } },
    },
  });
});

test("omits packages that only other projects need", () => {
  const lockfile = derive({ dependencies: { tool: "^3.0.0" } });
  expect(Object.keys(lockfile.snapshots)).toEqual(["peer@4.0.0", "tool@3.1.0(peer@4.0.0)"]);
});

test("names a dependency or project that is not locked", () => {
  expect(() => derive({ dependencies: { "only-ours": "^1.0.0" } })).toThrow(
    "package.json asks for only-ours, which tutorials/project/package.json does not have",
  );
  expect(() => derive({}, "tutorials/none")).toThrow(
    'pnpm-lock.yaml has no importer "tutorials/none": run pnpm install in the repository',
  );
});
