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

test("the line of kubebuilder's Makefile writes where kubebuilder's does", () => {
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

test("object writes beside the types, docs into docs, and everything into one folder where that is asked for", () => {
  expect(Object.keys(runIn(memcached, ["object", "docs", "paths=./api/..."]).written).sort()).toEqual([
    "api/v1/zz_generated.resources.ts",
    "docs/test.example.com_v1.md",
  ]);
  expect(
    Object.keys(runIn(memcached, ["crd", "object", "paths={./api/v1}", "output:dir=out"]).written).sort(),
  ).toEqual(["out/test.example.com_things.yaml", "out/zz_generated.resources.ts"]);
});

test("stdout, none, a header with its year", () => {
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

test("--check names what is missing or old, writes nothing, and is content with what was just generated", () => {
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
    "api/v1/zz_generated.resources.ts is not what the types say: run the same command without --check\n",
  );
});

test("what is generated is the same every time, and does not depend on what was generated before", () => {
  const args = ["crd", "object", "docs", "rbac:roleName=a", "paths=./..."];
  const first = runIn({ ...memcached, ...controller }, args).written;
  const again = runIn({ ...memcached, ...controller, ...first }, args);
  expect(again).toMatchObject({ code: 0, written: {} });
});

test.each([
  [[], "nothing is to be generated: name one of crd, rbac, webhook, object, docs"],
  [["paths=./..."], "nothing is to be generated: name one of crd, rbac, webhook, object, docs"],
  [["crds"], "there is no option crds: did you mean crd?"],
  [["deepcopy"], "there is no option deepcopy: there are crd, rbac, webhook, object, docs, paths, output"],
  [
    ["applyconfiguration"],
    "applyconfiguration: applyconfiguration makes Go code, and nothing for TypeScript",
  ],
  [["crd", "crd"], "crd is given twice: join the two with a comma"],
  [["crd:maxDescLen=short"], 'crd:maxDescLen=short: maxDescLen: a whole number is expected, not "short"'],
  [
    ["crd:maxDesc=1"],
    "crd:maxDesc=1: there is no argument maxDesc: there are allowDangerousTypes, crdVersions, generateEmbeddedObjectMeta, headerFile, year, maxDescLen",
  ],
  [["crd:crdVersions=v1beta1"], "crd:crdVersions=v1beta1: servers have v1 alone"],
  [["rbac"], "rbac: the argument roleName is missing"],
  [
    ["crd", "output:directory=a"],
    "output:directory=a: there is no output directory: there are dir, stdout, none, artifacts",
  ],
  [["crd", "output:crd:dirs=a"], "output:crd:dirs=a: there is no output dirs: did you mean dir?"],
  [["crd", "output:dir=a", "output:dir=b"], "output:dir=b: the output is given twice"],
  [["crd", "output:crd:dir=a", "output:crd:stdout"], "output:crd:stdout: the output of crd is given twice"],
  [
    ["crd", "output:rbac:dir=a"],
    "output:rbac: rbac itself is not asked for: add rbac, or leave its output out",
  ],
  [["crd", "output:dir"], "output:dir: a value is missing: it is written behind ="],
  [["crd", "output:crd:artifacts"], "output:crd:artifacts: the argument config is missing"],
  [["crd", "paths=./nowhere"], "paths=./nowhere: there is no nowhere"],
  [["crd", "paths=./nowhere/..."], "paths=./nowhere/...: there is no nowhere"],
  [["crd", "paths"], "paths: a value is missing: it is written behind ="],
  [["crd:headerFile=none.txt", "paths=./api/..."], "cannot read none.txt: it is not there"],
  [
    ["crd", "--force"],
    "there is no flag --force: there are --check, --help, -h, --version, --which-markers, -w",
  ],
  [
    ["crd", "paths=./api/...", "output:dir=api/v1/thing.types.ts"],
    "cannot write api/v1/thing.types.ts/test.example.com_things.yaml: a file stands where a folder has to be",
  ],
])("%j: one line, exit 1, nothing written", (args, message) => {
  const { code, stderr, stdout, written } = runIn(memcached, args);
  expect(stderr).toMatch(/^controller-gen: .*\n$/);
  expect(stderr.startsWith(`controller-gen: ${message}`)).toBe(true);
  expect({ code, stdout, written }).toEqual({ code: 1, stdout: "", written: {} });
});

test("help, version and markers", () => {
  expect(runIn({}, ["--help"]).stdout).toContain("controller-gen rbac:roleName=manager-role crd webhook");
  expect(runIn({}, ["--version"]).stdout).toBe("Version: v0.21.0\n");
  const { stdout, code } = runIn({}, ["-w"]);
  expect(stdout).toContain(
    "+kubebuilder:validation:Minimum=…\n    on type, field: the smallest number that is allowed\n",
  );
  expect(code).toBe(0);
});

test("one file that cannot be written, and none is", () => {
  // A folder stands where a file is to go.
  const files = { ...memcached, "config/crd/test.example.com_things.yaml/README": "a folder" };
  const { code, stderr, written } = runIn(files, ["object", "crd", "paths=./api/..."]);
  expect(code).toBe(1);
  expect(stderr).toBe(
    "controller-gen: cannot write config/crd/test.example.com_things.yaml: a folder stands there\n",
  );
  expect(written).toEqual({});
});
