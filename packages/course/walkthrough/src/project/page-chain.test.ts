import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { parsePage } from "../page/parse.ts";
import { runPage } from "../run/run-page.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const first = `
## Write

[greet.sh](p/greet.sh)
~~~sh file
echo hello
~~~

## Clean up

~~~console
$ true
~~~
`;
const second = `
## Edit

~~~console
$ bash greet.sh
hello
~~~

[greet.sh](p/greet.sh)
~~~diff
-echo hello
+echo goodbye
~~~

~~~console
$ bash greet.sh
goodbye
~~~

## Clean up

~~~console
$ true
~~~
`;

/** A tutorial of two pages. The second begins where the first ends. */
function tutorial(
  options: {
    first?: string;
    second?: string;
    committed?: string;
    start?: string;
    others?: Record<string, string>;
  } = {},
) {
  const [root, parent] = [mkdtempSync(join(tmpdir(), "chain-")), mkdtempSync(join(tmpdir(), "runs-"))];
  folders.push(root, parent);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content.replaceAll("~~~", "```"));
  };
  write("1-first.md", `---\ntitle: One\nproject: p\n---\n${options.first ?? first}`);
  write(
    "2-second.md",
    `---\ntitle: Two\nproject: p\nstart: ${options.start ?? "page 1"}\n---\n${options.second ?? second}`,
  );
  write("p/greet.sh", options.committed ?? "echo goodbye\n");
  for (const [name, content] of Object.entries(options.others ?? {})) write(name, content);
  const page = (name: string) => parsePage(readFileSync(join(root, name), "utf8"), join(root, name));
  return (name: string) => runPage(page(name), { root, parent });
}

test("begins a page with the result of the page before", async () => {
  const report = await tutorial()("2-second.md");
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
});

test("applies the next page before it compares with the committed project", async () => {
  expect((await tutorial()("1-first.md")).passed).toBe(true);
  const report = await tutorial({ committed: "echo farewell\n" })("1-first.md");
  expect(report.difference?.message).toContain("greet.sh differs from what the committed project has");
});

test("reports the line of a next page that does not apply", async () => {
  const report = await tutorial({ first: first.replace("echo hello", "echo hi") })("1-first.md");
  expect(report.difference?.message).toMatch(/2-second\.md:\d+: the edit of p\/greet\.sh does not apply/);
});

test("begins a page with another project as a copy, and compares it with that project", async () => {
  const third = `
## Edit the copy

~~~console
$ pwd | sed 's|.*/||'
q
$ ls ..
q
~~~

[greet.sh](q/greet.sh)
~~~diff
-echo goodbye
+echo good night
~~~

## Clean up

~~~console
$ true
~~~
`;
  const run = tutorial({
    others: {
      "3-third.md": `---\ntitle: Three\nproject: q\nstart: page 2\n---\n${third}`,
      "q/greet.sh": "echo good night\n",
    },
  });
  const report = await run("3-third.md");
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(true);
  // The copy does not count as the next page of the original.
  expect((await run("2-second.md")).passed).toBe(true);
});

test("rejects a start page that is missing or not before the page", async () => {
  await expect(tutorial({ start: "page 7" })("2-second.md")).rejects.toThrow(
    "start: page 7: there is no such page",
  );
  await expect(tutorial({ start: "page 2" })("2-second.md")).rejects.toThrow(
    "start: page 2: there is no such page",
  );
});
