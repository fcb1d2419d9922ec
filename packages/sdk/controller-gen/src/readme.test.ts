import { readFileSync } from "node:fs";
import { join } from "node:path";
import { throwIfInvalid } from "@operator-path/controller-runtime";
import { expect, test } from "vitest";
import { generatorDefinitions } from "./command/options.ts";
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
const files = Object.fromEntries(
  blocks.flatMap((text) => {
    const path = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
    return path === undefined ? [] : [[path, text]];
  }),
);

test("the README's types make what it says they make", () => {
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

test("the README's problems are told in these words", () => {
  const wrong = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      // The first line is the name of the file.
      text
        .replace(/^\/\/ .*\n/, "")
        .replace("Minimum=0", "Minimun=0")
        .replace("size: int32", "size: number"),
    ]),
  );
  const { stderr } = runIn(wrong, ["crd", "paths=./..."]);
  expect(readme).toContain(`\`\`\`\n${stderr}\`\`\``);
});

test("the README's validator says what it says", () => {
  const object = defaultMemcached({ metadata: { name: "sample" }, spec: { size: -1 } });
  const [error] = validateMemcached(object);
  expect(readme).toContain(`// ${error?.field}: ${error?.message}\n`);
  expect(() => throwIfInvalid(memcacheds, object, validateMemcached(object))).toThrow(
    /Memcached.cache.example.com "sample" is invalid/,
  );
  expect(memcacheds.plural).toBe("memcacheds");
});

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

test("the page about markers is what scripts/generate-markers-page.ts makes of them", () => {
  expect(readFileSync(join(root, "docs/markers.md"), "utf8")).toBe(markersPage());
});
