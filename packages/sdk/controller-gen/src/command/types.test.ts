import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import { runIn } from "../testing/run.ts";
import { type Widget, widgets } from "../testing/testdata/external/widgets.example.com.v1.ts";

const folder = join(import.meta.dirname, "../testing/testdata/external");
const crd = readFileSync(join(folder, "crd.yaml"), "utf8");
const expected = readFileSync(join(folder, "widgets.example.com.v1.ts"), "utf8");
const name = "widgets.example.com.v1.ts";

describe("controller-gen types", () => {
  test("writes a module for each served version of a definition", () => {
    const { code, stderr, written } = runIn({ "crd.yaml": crd }, ["types", "crd.yaml", "output:dir=api"]);
    expect({ code, stderr, written }).toEqual({
      code: 0,
      stderr: "",
      written: { [`api/${name}`]: expected },
    });
  });

  test("prints the module, and reads the definitions of a list", () => {
    const list = JSON.stringify({ kind: "List", items: [definition({})] });
    const { stdout, written } = runIn({ "list.json": list }, ["types", "list.json", "output:stdout"]);
    expect(stdout).toContain("export const things: Resource<Thing> = defineResource<Thing>({");
    expect(written).toEqual({});
  });

  test("fails with --check if a module does not match the definition", () => {
    const files = { "crd.yaml": crd, [name]: expected };
    expect(runIn(files, ["types", "crd.yaml", "--check"])).toMatchObject({ code: 0, stderr: "" });
    const stale = runIn({ ...files, "crd.yaml": crd.replace("title, ports", "title") }, [
      "types",
      "crd.yaml",
      "--check",
    ]);
    expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining(`${name} is out of date`) });
  });

  test("gives interfaces that would have the same name different names", () => {
    const object = (properties: object) => ({ type: "object", properties });
    const text = { type: "string" };
    const schema = object({ a: object({ bC: object({ x: text }) }), aB: object({ c: object({ y: text }) }) });
    const { stdout } = runIn({ "crd.json": JSON.stringify(definition(schema)) }, [
      "types",
      "crd.json",
      "output:stdout",
    ]);
    expect(stdout.match(/^export interface \w+/gm)).toEqual([
      "export interface Thing",
      "export interface ThingA",
      "export interface ThingABC",
      "export interface ThingAB",
      "export interface ThingABC2",
    ]);
  });

  test("keeps the names that the module itself uses", () => {
    const record = JSON.stringify(definition({})).replaceAll('"Thing"', '"Record"');
    const { stdout } = runIn({ "crd.json": record }, ["types", "crd.json", "output:stdout"]);
    expect(stdout).toContain("export interface Record2 extends KubeObject");
    expect(stdout).toContain("export const things: Resource<Record2> = defineResource<Record2>({");
  });

  test.each([
    ["kind", "Thing { } //"],
    ["plural", "../things"],
    ["name", "v1*/"],
    ["group", "a/../../b"],
  ])("rejects an invalid %s", (field, value) => {
    const text = JSON.stringify(definition({})).replace(
      new RegExp(`("${field}":)"[^"]*"(?=[,}])(?!.*"${field}":)`),
      `$1${JSON.stringify(value)}`,
    );
    const { code, stderr, written } = runIn({ "crd.json": text }, ["types", "crd.json", "output:dir=."]);
    expect({ code, written }).toEqual({ code: 1, written: {} });
    expect(stderr).toContain(`crd.json has the invalid name ${JSON.stringify(value)}`);
  });

  test.each([
    ["types needs the file of a CustomResourceDefinition: controller-gen types crd.yaml", []],
    ["cannot read no.yaml: it does not exist", ["no.yaml"]],
    ["pod.yaml has no CustomResourceDefinition of apiextensions.k8s.io/v1", ["pod.yaml"]],
    ["broken.yaml is not YAML: ", ["broken.yaml"]],
    ["empty.yaml has a CustomResourceDefinition without spec.group", ["empty.yaml"]],
    [`${name} would be written twice: give each definition only once`, ["crd.yaml", "crd.yaml"]],
    [
      "types takes one output, output:dir=FOLDER or output:stdout, not output:none",
      ["crd.yaml", "output:none"],
    ],
  ])("reports: %s", (message, args) => {
    const files = {
      "crd.yaml": crd,
      "pod.yaml": "apiVersion: v1\nkind: Pod\n",
      "broken.yaml": "a: [",
      "empty.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
    };
    const { code, stderr, written } = runIn(files, ["types", ...args]);
    expect({ code, written }).toEqual({ code: 1, written: {} });
    expect(stderr).toContain(`controller-gen: ${message}`);
  });
});

test("the generated types match the schema of the definition", () => {
  expect(widgets).toMatchObject({ group: "example.com", version: "v1", kind: "Widget", plural: "widgets" });
  expectTypeOf<Widget["spec"]["mode"]>().toEqualTypeOf<"Light" | "Dark" | null | undefined>();
  expectTypeOf<Widget["spec"]["levels"]>().toEqualTypeOf<(1 | 2)[] | undefined>();
  expectTypeOf<{ title: string; ports: [] }>().toExtend<Widget["spec"]>();
  expectTypeOf<{ ports: [] }>().not.toExtend<Widget["spec"]>();
});

function definition(schema: object): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { kind: "Thing", plural: "things" },
      versions: [{ name: "v1", served: true, schema: { openAPIV3Schema: { type: "object", ...schema } } }],
    },
  };
}
