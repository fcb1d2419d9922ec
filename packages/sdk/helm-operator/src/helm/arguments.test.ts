import { expect, it } from "vitest";
import {
  dryRunArguments,
  installArguments,
  majorOf,
  parseVersion,
  rollbackArguments,
  uninstallArguments,
  upgradeArguments,
} from "./arguments.ts";

const release = { name: "web", namespace: "shop" };
const request = { ...release, chart: "/charts/web", values: { password: "swordfish" } };
const end = "--values=- --namespace=shop -- web /charts/web";

it.each([
  [3, "install", installArguments(3, request, {}), `install ${end}`],
  [4, "install", installArguments(4, request, {}), `install --force-conflicts ${end}`],
  [3, "upgrade", upgradeArguments(3, request, {}), `upgrade --reset-values ${end}`],
  [
    4,
    "upgrade",
    upgradeArguments(4, request, {}),
    `upgrade --server-side=true --force-conflicts --reset-values ${end}`,
  ],
  [
    3,
    "forced upgrade",
    upgradeArguments(3, request, { force: true }),
    `upgrade --force --reset-values ${end}`,
  ],
  [
    ...([4, "forced upgrade", upgradeArguments(4, request, { force: true })] as const),
    `upgrade --server-side=false --force-replace --reset-values ${end}`,
  ],
  [3, "rollback", rollbackArguments(3, { ...release, revision: 2 }), "rollback --namespace=shop -- web 2"],
  [
    ...([4, "rollback", rollbackArguments(4, { ...release, maxHistory: 0 })] as const),
    "rollback --server-side=true --force-conflicts --history-max=0 --namespace=shop -- web",
  ],
] as const)("returns the arguments of helm %i: %s", (_major, _operation, found, wanted) => {
  expect(found.join(" ")).toBe(wanted);
});

it("leaves the validation out only where a dry run has done it", () => {
  const flag = "--disable-openapi-validation";
  for (const major of [3, 4] as const) {
    expect(installArguments(major, request, { validated: true })).toContain(flag);
    expect(upgradeArguments(major, request, { validated: true })).toContain(flag);
    expect(installArguments(major, request, { validated: false })).not.toContain(flag);
  }
  expect(dryRunArguments(request, {})).not.toContain(flag);
});

it("passes every option, and never the values", () => {
  const options = { disableHooks: true, description: "--by hand", timeout: 1_500 };
  const common = ["--no-hooks", "--description=--by hand", "--timeout=1500ms"];
  const labels = { "example.com/kind": "Web", team: "a" };
  const labelled = "--labels=example.com/kind=Web,team=a";
  const install = installArguments(3, request, { ...options, replace: true, labels });
  expect(install).toEqual(expect.arrayContaining(["--replace", labelled, ...common]));
  expect(upgradeArguments(4, request, { ...options, maxHistory: 3, labels })).toEqual(
    expect.arrayContaining(["--history-max=3", labelled, ...common]),
  );
  expect(rollbackArguments(3, { ...release, ...options }).join(" ")).toBe(
    "rollback --no-hooks --timeout=1500ms --namespace=shop -- web",
  );
  expect(uninstallArguments({ ...release, ...options, wait: true })).toEqual([
    ...["uninstall", "--ignore-not-found", "--wait", ...common, "--namespace=shop", "--", "web"],
  ]);
  expect(dryRunArguments(request, {}).join(" ")).toBe(
    `upgrade --install --dry-run=server --output=json --reset-values ${end}`,
  );
  expect(dryRunArguments(request, { server: false })).toContain("--dry-run=client");
  expect(install.join(" ")).not.toContain("swordfish");
});

it.each([
  ["v4.2.3", "4.2.3", 4],
  ["v4.2.3+g43e8b7f\n", "4.2.3", 4],
  ["v3.18.0", "3.18.0", 3],
  ["v3.15.0-rc.1", "3.15.0-rc.1", 3],
  // Takes an uninstalled release with a kept history for an existing one in `upgrade --install`.
  ["v3.14.4", "3.14.4", undefined],
  ["v2.17.0", "2.17.0", undefined],
  ["v5.0.0", "5.0.0", undefined],
])("%j is version %s, with the flags of %s", (printed, version, major) => {
  expect(parseVersion(printed)).toBe(version);
  expect(majorOf(version)).toBe(major);
});

it("rejects what is not a version", () => {
  expect(parseVersion("Welcome to Node.js v26")).toBeUndefined();
});
