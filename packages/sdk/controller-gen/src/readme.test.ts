import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defineResource } from "@operator-path/client";
import { throwIfInvalid } from "@operator-path/controller-runtime";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { generatorDefinitions } from "./command/options.ts";
import { customResourceDefinition } from "./json-schema/definition.ts";
import { expectedFiles } from "./testing/cases.ts";
import { markersPage } from "./testing/markers-page.ts";
import { runIn } from "./testing/run.ts";
import {
  defaultMemcached,
  memcacheds,
  validateMemcached,
} from "./testing/testdata/memcached/v1alpha1/zz_generated.resources.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = ""]) => text);
const paths = blocks.flatMap((text) => {
  const path = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
  return path === undefined ? [] : [[path, text] as const];
});
const files = Object.fromEntries(paths.filter(([path]) => path.startsWith("api/v1alpha1/")));
const zodFiles = paths.filter(([path]) => !(path in files));

test("the README's types produce the files that it names", () => {
  expect(Object.keys(files)).toHaveLength(2);
  const lines = [...readme.matchAll(/^controller-gen (.*)$/gm)].map(([, args = ""]) => args.split(" "));
  expect(lines).toHaveLength(2);
  const written = lines.map((args) => runIn(files, args)).map(({ stderr, written }) => ({ stderr, written }));
  const [manifests, object] = written;
  expect(manifests).toEqual({
    stderr: "",
    written: {
      "config/crd/bases/cache.example.com_memcacheds.yaml": expectedFiles("memcached").get(
        "cache.example.com_memcacheds.yaml",
      ),
    },
  });
  expect(Object.keys(object?.written ?? {})).toEqual(["api/v1alpha1/zz_generated.resources.ts"]);
});

test("the README shows the real error messages", () => {
  const invalid = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      // The first line contains the name of the file.
      text
        .replace(/^\/\/ .*\n/, "")
        .replace("Minimum=0", "Minimun=0")
        .replace("size: int32", "size: number"),
    ]),
  );
  const { stderr } = runIn(invalid, ["crd", "paths=./..."]);
  expect(readme).toContain(`\`\`\`\n${stderr}\`\`\``);
});

test("the README shows the real message of the validator", () => {
  const object = defaultMemcached({ metadata: { name: "sample" }, spec: { size: -1 } });
  const [error] = validateMemcached(object);
  expect(readme).toContain(`// ${error?.field}: ${error?.message}\n`);
  expect(() => throwIfInvalid(memcacheds, object, validateMemcached(object))).toThrow(
    /Memcached.cache.example.com "sample" is invalid/,
  );
  expect(memcacheds.plural).toBe("memcacheds");
});

test("the README's script writes and checks the CustomResourceDefinition of a zod schema", () => {
  expect(zodFiles.map(([path]) => path)).toEqual(["api/v1/memcached.ts", "hack/crds.ts"]);
  const folder = mkdtempSync(join(tmpdir(), "controller-gen-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installed = join(folder, "node_modules");
  mkdirSync(join(installed, "@operator-path"), { recursive: true });
  symlinkSync(root, join(installed, "@operator-path/controller-gen"));
  for (const name of ["@operator-path/client", "zod"])
    symlinkSync(join(root, "node_modules", name), join(installed, name));
  for (const [path, text] of [...zodFiles, ["package.json", '{ "type": "module" }'] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const run = (...args: string[]) => {
    const options = ["--conditions=@operator-path/source", "hack/crds.ts", ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, options, {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };
  const file = "config/crd/bases/cache.example.com_memcacheds.yaml";
  const stale = { status: 1, output: `${file} does not match its schema: run node hack/crds.ts\n` };
  expect(run("--check")).toEqual(stale);
  expect(run()).toEqual({ status: 0, output: "" });
  expect(run("--check")).toEqual({ status: 0, output: "" });
  expect(readFileSync(join(folder, file), "utf8")).toContain(`              size:
                default: 1
                description: How many Pods run.
                format: int32
                maximum: 5
                minimum: 1
                type: integer
`);
});

test("the README's list has the keys and the rule of its schema", () => {
  const text = blocks.find((block) => block.startsWith("const Ports")) ?? "";
  const ports = (new Function("z", `${text}; return Ports;`) as (library: typeof z) => z.ZodType)(z);
  const schema = z.object({ spec: z.object({ ports }) });
  const resource = defineResource({
    group: "a.example.com",
    version: "v1",
    kind: "A",
    plural: "as",
    namespaced: true,
    schema,
  });
  const [version] = customResourceDefinition(resource).spec.versions;
  expect(version?.schema?.openAPIV3Schema?.properties?.spec?.properties?.ports).toMatchObject({
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-validations": [{ message: "one port must be 80" }],
  });
  const tuple = defineResource({
    group: "cache.example.com",
    version: "v1",
    kind: "Memcached",
    plural: "memcacheds",
    namespaced: true,
    schema: z.object({ spec: z.object({ ports: z.tuple([z.int()]) }) }),
  });
  const error = captureError(() => customResourceDefinition(tuple));
  expect(readme).toContain(`\`\`\`\n${error.message}\n\`\`\``);
});

function captureError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

test("the README names every generator", () => {
  for (const { name } of generatorDefinitions) expect(readme).toContain(`| \`${name}`);
});

test("the declarations of the page about types make a CustomResourceDefinition", () => {
  const page = readFileSync(join(root, "docs/types.md"), "utf8");
  const types = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
  const { stderr, written } = runIn(
    {
      "api/v1/ticket.types.ts": types,
      "api/v1/address.ts": "export interface Address { street: string }\n",
      "api/v1/groupversion.info.ts": "// +groupName=example.com\n",
    },
    ["crd:maxDescLen=0", "paths=./..."],
  );
  expect(stderr).toBe("");
  expect(written["config/crd/example.com_tickets.yaml"]).toContain(`              count:
                default: 3
                format: int32
                type: integer
`);
});

test("the page about markers is up to date", () => {
  expect(readFileSync(join(root, "docs/markers.md"), "utf8")).toBe(markersPage());
});
