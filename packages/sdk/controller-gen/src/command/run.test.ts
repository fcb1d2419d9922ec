import { expect, test } from "vitest";
import { apiOf, runIn } from "../testing/run.ts";

const memcached = apiOf(`import type { int32, KubeObject } from "@operator-path/controller-gen/types";
export interface Spec {
  // +kubebuilder:default=3
  size?: int32;
}
export interface Thing extends KubeObject {
  spec?: Spec;
}
`);
const controller = {
  "controllers/thing.ts":
    "// +kubebuilder:rbac:groups=core,resources=pods,verbs=get\n\nexport function reconcile(): void {}\n" +
    "// +kubebuilder:webhook:path=/a,mutating=true,failurePolicy=fail,sideEffects=None,groups=a,resources=b,verbs=create,versions=v1,name=a.b.c,admissionReviewVersions=v1\n",
};

test("the command of kubebuilder's Makefile writes the same files as there", () => {
  const args = [
    "rbac:roleName=manager-role",
    "crd",
    "webhook",
    "paths=./...",
    "output:crd:artifacts:config=config/crd/bases",
  ];
  const { code, stderr, stdout, written } = runIn({ ...memcached, ...controller }, args);
  expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "" });
  expect(Object.keys(written).sort()).toEqual([
    "config/crd/bases/test.example.com_things.yaml",
    "config/rbac/role.yaml",
    "config/webhook/manifests.yaml",
  ]);
});

test("object writes beside the types, docs into docs, and output:dir puts all files into one folder", () => {
  expect(Object.keys(runIn(memcached, ["object", "docs", "paths=./api/..."]).written).sort()).toEqual([
    "api/v1/zz_generated.resources.ts",
    "docs/test.example.com_v1.md",
  ]);
  expect(
    Object.keys(runIn(memcached, ["crd", "object", "paths={./api/v1}", "output:dir=out"]).written).sort(),
  ).toEqual(["out/test.example.com_things.yaml", "out/zz_generated.resources.ts"]);
});

test("writes to stdout or nowhere, and puts a header with the year first", () => {
  const files = { ...memcached, "hack/boilerplate.txt": "# Copyright YEAR me\n" };
  const { stdout, written } = runIn(files, [
    'crd:headerFile="hack/boilerplate.txt",year=2026',
    "object",
    "paths=./api/...",
    "output:stdout",
    "output:object:none",
  ]);
  expect(stdout).toMatch(/^# Copyright 2026 me\n---\napiVersion: apiextensions/);
  expect(written).toEqual({});
});

test("--check names missing and outdated files, writes nothing, and accepts what was just generated", () => {
  const args = ["crd", "object", "paths=./api/..."];
  const missing = runIn(memcached, [...args, "--check"]);
  expect(missing.code).toBe(1);
  expect(missing.written).toEqual({});
  expect(missing.stderr.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "config/crd/test.example.com_things.yaml",
    "api/v1/zz_generated.resources.ts",
    "",
  ]);
  const { written } = runIn(memcached, args);
  expect(runIn({ ...memcached, ...written }, [...args, "--check"])).toMatchObject({ code: 0, stderr: "" });
  const old = { ...written, "api/v1/zz_generated.resources.ts": "// old\n" };
  const { code, stderr } = runIn({ ...memcached, ...old }, [...args, "--check"]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    "api/v1/zz_generated.resources.ts is out of date: run the same command without --check\n",
  );
});

test("a second run changes nothing", () => {
  const args = ["crd", "object", "docs", "rbac:roleName=a", "paths=./..."];
  const first = runIn({ ...memcached, ...controller }, args).written;
  const again = runIn({ ...memcached, ...controller, ...first }, args);
  expect(again).toMatchObject({ code: 0, written: {} });
});

test.each([
  [[], "there is no generator: add one of crd, rbac, webhook, object, docs"],
  [["paths=./..."], "there is no generator: add one of crd, rbac, webhook, object, docs"],
  [["crds"], "there is no option crds: did you mean crd?"],
  [
    ["deepcopy"],
    "there is no option deepcopy: the options are crd, rbac, webhook, object, docs, paths, output",
  ],
  [["applyconfiguration"], "applyconfiguration: applyconfiguration generates Go code only"],
  [["crd", "crd"], "crd is given twice: join its arguments with a comma"],
  [["crd:maxDescLen=short"], 'crd:maxDescLen=short: maxDescLen: expected an integer, not "short"'],
  [
    ["crd:maxDesc=1"],
    "crd:maxDesc=1: there is no argument maxDesc: the arguments are allowDangerousTypes, crdVersions, generateEmbeddedObjectMeta, headerFile, year, maxDescLen",
  ],
  [["crd:crdVersions=v1beta1"], "crd:crdVersions=v1beta1: servers only support v1"],
  [["rbac"], "rbac: the argument roleName is missing"],
  [
    ["crd", "output:directory=a"],
    "output:directory=a: there is no output directory: the outputs are dir, stdout, none, artifacts",
  ],
  [["crd", "output:crd:dirs=a"], "output:crd:dirs=a: there is no output dirs: did you mean dir?"],
  [["crd", "output:dir=a", "output:dir=b"], "output:dir=b: the output is given twice"],
  [["crd", "output:crd:dir=a", "output:crd:stdout"], "output:crd:stdout: the output of crd is given twice"],
  [
    ["crd", "output:rbac:dir=a"],
    "output:rbac: the generator rbac is missing: add rbac, or remove its output",
  ],
  [["crd", "output:dir"], "output:dir: the value is missing: write it after ="],
  [["crd", "output:crd:artifacts"], "output:crd:artifacts: the argument config is missing"],
  [["crd", "paths=./nowhere"], "paths=./nowhere: nowhere does not exist"],
  [["crd", "paths=./nowhere/..."], "paths=./nowhere/...: nowhere does not exist"],
  [["crd", "paths"], "paths: the value is missing: write it after ="],
  [["crd:headerFile=none.txt", "paths=./api/..."], "cannot read none.txt: it does not exist"],
  [
    ["crd", "--force"],
    "there is no flag --force: the flags are --check, --help, -h, --version, --which-markers, -w",
  ],
  [
    ["crd", "paths=./api/...", "output:dir=api/v1/thing.types.ts"],
    "cannot write api/v1/thing.types.ts/test.example.com_things.yaml: its folder is a file",
  ],
])("rejects %j with one line and exit code 1, and writes nothing", (args, message) => {
  const { code, stderr, stdout, written } = runIn(memcached, args);
  expect(stderr).toMatch(/^controller-gen: .*\n$/);
  expect(stderr.startsWith(`controller-gen: ${message}`)).toBe(true);
  expect({ code, stdout, written }).toEqual({ code: 1, stdout: "", written: {} });
});

test("prints the help, the version and the markers", () => {
  expect(runIn({}, ["--help"]).stdout).toContain("controller-gen rbac:roleName=manager-role crd webhook");
  expect(runIn({}, ["--version"]).stdout).toBe("Version: v0.21.0\n");
  const { stdout, code } = runIn({}, ["-w"]);
  expect(stdout).toContain(
    "+kubebuilder:validation:Minimum=…\n    on type, field: the smallest allowed number\n",
  );
  expect(code).toBe(0);
});

test("writes no file if one of them cannot be written", () => {
  // A folder has the name of an output file.
  const files = { ...memcached, "config/crd/test.example.com_things.yaml/README": "a folder" };
  const { code, stderr, written } = runIn(files, ["object", "crd", "paths=./api/..."]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    "controller-gen: cannot write config/crd/test.example.com_things.yaml: it is a folder\n",
  );
  expect(written).toEqual({});
});
