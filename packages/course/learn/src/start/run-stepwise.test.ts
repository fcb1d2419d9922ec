import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFailed } from "vitest";
import { openTerminal, type Terminal } from "../testing/terminal.ts";

const page = `---
title: A page
project: p
---

## First

[\`p/a.yaml\`](p/a.yaml)

~~~yaml file
kind: Pod
~~~

[\`p/a.yaml\`](p/a.yaml)

~~~diff
-kind: Pod
+kind: Job
~~~

~~~console
$ cat a.yaml; printf 'wide%.0s' {1..50}
kind: Job
wide[..]
~~~

## Second

~~~console
$ echo begun; sleep 600
begun
~~~

## Clean up

~~~console
$ touch ../../cleaned
~~~
`.replaceAll("~~~", "```");

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "watch-"));
  await mkdir(join(root, "tutorials/01-page/p"), { recursive: true });
  await writeFile(join(root, "tutorials/01-page/p/a.yaml"), "kind: Job\n");
  await writeFile(join(root, "tutorials/01-page/1-page.md"), page);
});
afterEach(() => rm(root, { recursive: true, force: true }));

function watch(more: NodeJS.ProcessEnv = { NO_COLOR: "1" }): Terminal {
  const main = new URL("../testing/stepwise-main.ts", import.meta.url).pathname;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: root, TMPDIR: root, ...more };
  const args = [join(root, "tutorials/01-page/1-page.md"), join(root, "attempts")];
  const terminal = openTerminal(main, args, env);
  onTestFailed(() => console.error(terminal.screen()));
  return terminal;
}

it("shows each command with its output, and the code of each file and edit, cut to the terminal", async () => {
  using terminal = watch();
  await terminal.shows("Run this step?");
  terminal.type("\r");
  await terminal.shows(/Second.*Run this step\?/s);
  const lines = terminal.screen().split(/\r?\n/);
  expect(lines).toEqual(
    expect.arrayContaining([
      "  p/a.yaml",
      "    kind: Pod",
      "  edit p/a.yaml",
      "    -kind: Pod",
      "    +kind: Job",
    ]),
  );
  expect(lines.some((line) => line.endsWith("  $ cat a.yaml; printf 'wide%.0s' {1..50}"))).toBe(true);
  expect(lines.some((line) => line.endsWith("  kind: Job"))).toBe(true);
  const wide = lines.find((line) => line.includes("widewide")) ?? "";
  expect(wide).toMatch(/^ {2}(?:wide)+\w*…$/);
  expect(wide).toHaveLength(119);
});

it("colours code", async () => {
  using terminal = watch({ TERM: "xterm-256color" });
  await terminal.shows("Run this step?");
  terminal.type("\r");
  await terminal.shows("\x1b[32m+kind: Job\x1b[39m");
});

it.each([
  ["q", "q"],
  ["Ctrl+C", "\x03"],
])("stops a running command by %s without an error, and cleans up", async (_name, key) => {
  using terminal = watch();
  await terminal.shows("Run this step?");
  terminal.type("a");
  await terminal.shows("$ echo begun; sleep 600");
  terminal.type(key);
  await terminal.shows("Stopped, and cleaned up.");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).not.toMatch(/✗|rror/);
  expect((await readdir(root)).filter((name) => name.startsWith("operator-path"))).toEqual([]);
});
