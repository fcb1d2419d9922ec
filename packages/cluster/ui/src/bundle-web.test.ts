import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleWeb, readBundle, writeBundle } from "./bundle-web.ts";
import type { WebBundle } from "./server/web-bundle.ts";

let folder: string;
let entry: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bundle-web-"));
  entry = join(folder, "web/main.tsx");
  cache = join(folder, "cache");
  await mkdir(join(folder, "web"));
  await symlink(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  await write(
    "main.tsx",
    'import "./main.css"; import { render } from "preact"; render(<p>one</p>, document.body);',
  );
  await write("main.css", '@font-face { font-family: A; src: url("./inter-latin.woff2") }\np { color: red }');
  await write("inter-latin.woff2", "font");
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, "web", name), text);
const textOf = ({ files }: WebBundle, path = "") => Buffer.from(files.get(path)?.body ?? "").toString();

test("bundles a page's scripts, styles and fonts under names with a hash", async () => {
  const bundle = await bundleWeb({ entry, preload: ["inter-latin"] });
  expect(bundle.script).toMatch(/^\/assets\/main-\w{8}\.js$/);
  expect(bundle.styles).toEqual([expect.stringMatching(/^\/assets\/main-\w{8}\.css$/)]);
  expect(textOf(bundle, bundle.script)).toContain('"one"');
  const font = [...bundle.files.keys()].find((path) => path.endsWith(".woff2"));
  expect(textOf(bundle, bundle.styles[0])).toContain(`url("${font}")`);
  expect(bundle.files.get(font ?? "")?.type).toBe("font/woff2");
  for (const path of bundle.files.keys())
    expect(textOf(bundle, path)).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

test("makes a file of its own for a module that is imported lazily", async () => {
  await write("main.tsx", 'import("./later.ts").then(({ later }) => console.log(later));');
  await write("later.ts", 'export const later = "only later";');
  const bundle = await bundleWeb({ entry });
  expect(textOf(bundle, bundle.script)).not.toContain("only later");
  expect([...bundle.files.keys()].some((path) => textOf(bundle, path).includes("only later"))).toBe(true);
});

test("reads a bundle that was written, unchanged", async () => {
  const bundle = await bundleWeb({ entry, preload: ["inter-latin"] });
  await writeBundle(cache, bundle);
  const { files, ...rest } = await readBundle(cache);
  const { files: before, ...expected } = bundle;
  expect(rest).toEqual(expected);
  expect([...files].map(([path, { type, body }]) => [path, type, `${Buffer.from(body)}`])).toEqual(
    [...before].map(([path, { type, body }]) => [path, type, `${Buffer.from(body)}`]),
  );
});

test("keeps the result until a source changes", async () => {
  const first = await bundleWeb({ entry, cache });
  const [kept = ""] = await readdir(cache);
  // A mark shows where the second result comes from.
  await writeFile(join(cache, kept, first.script.slice("/assets/".length)), "from the cache");
  const second = await bundleWeb({ entry, cache });
  expect(textOf(second, second.script)).toBe("from the cache");
  await write("main.css", "p { color: blue }");
  const third = await bundleWeb({ entry, cache });
  expect(textOf(third, third.script)).toContain('"one"');
  expect(textOf(third, third.styles[0])).toContain("#00f");
});

test("bundles again if the cache is incomplete", async () => {
  await bundleWeb({ entry, cache });
  const [kept = ""] = await readdir(cache);
  for (const name of await readdir(join(cache, kept)))
    if (name.endsWith(".js")) await rm(join(cache, kept, name));
  const again = await bundleWeb({ entry, cache });
  expect(textOf(again, again.script)).toContain('"one"');
});

test("an error names file and line", async () => {
  await write("main.tsx", "const a = 1;\nimport './missing.ts';");
  await expect(bundleWeb({ entry })).rejects.toThrow(/main\.tsx:2:.*missing\.ts/);
});
