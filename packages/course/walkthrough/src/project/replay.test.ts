import { existsSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { dropStep } from "../mutate/mutate-page.ts";
import { parsePage } from "../page/parse.ts";
import { runPage } from "../run/run-page.ts";
import { temporaryTutorial } from "../testing/temporary-tutorial.ts";
import { copyProject } from "./page-chain.ts";

const first = `---
title: One
project: p
start: nothing
---
## Begin

~~~console replay
$ mkdir p && cd p
$ pwd | sed 's|.*/||'
p
~~~

~~~console replay
$ echo hello > generated.txt
~~~

## Change

[generated.txt](p/generated.txt)
~~~diff
-hello
+hello, world
~~~

~~~console replay
$ tr a-z A-Z < generated.txt > loud.txt; echo done
done
~~~

~~~console terminal=second
$ ls
generated.txt  loud.txt
~~~
`;
const second = `---
title: Two
project: p
start: page 1
---
## Go on

~~~console
$ cat loud.txt
HELLO, WORLD
~~~

[notes.txt](p/notes.txt)
~~~text file
louder
~~~
`;
const committed = {
  "p/generated.txt": "hello, world\n",
  "p/loud.txt": "HELLO, WORLD\n",
  "p/notes.txt": "louder\n",
};
const files = { "1-first.md": first, "2-second.md": second, ...committed };

test("replays commands that write files, in order with the edits, for the next page", async () => {
  using tutorial = temporaryTutorial(files);
  for (const page of ["1-first.md", "2-second.md"]) {
    const report = await tutorial.run(page);
    expect(report.difference).toBeUndefined();
    expect(report).toMatchObject({ passed: true, leaks: [] });
  }
  expect(tutorial.left()).toEqual([]);
});

test("copies a project to another name with its links, at the depth where it was made", async () => {
  const installed =
    "mkdir node_modules && pwd | tr -cd / > node_modules/depth && ln -s depth node_modules/link";
  const third = `---
title: Three
project: q
start: page 2
---
## Look

~~~console
$ test "$(cat node_modules/depth)" = "$(pwd | tr -cd /)"
$ readlink node_modules/link
depth
~~~
`;
  using tutorial = temporaryTutorial({
    ...files,
    "1-first.md": first.replace("$ echo hello >", `$ ${installed}\n$ echo hello >`),
    "3-third.md": third,
    ...Object.fromEntries(Object.entries(committed).map(([path, text]) => [path.replace("p/", "q/"), text])),
  });
  const report = await tutorial.run("3-third.md");
  expect(report.difference).toBeUndefined();
  expect(report).toMatchObject({ passed: true, leaks: [] });
  expect(tutorial.left()).toEqual([]);
});

test("shares the files of packages with a copied project, and copies all others", () => {
  using tutorial = temporaryTutorial({
    "p/main.ts": "",
    "p/node_modules/.modules.yaml": "",
    "p/node_modules/.pnpm/lock.yaml": "",
    "p/node_modules/.pnpm/a@1.0.0/node_modules/a/bin/a.js": "",
  });
  const [from, to] = [join(tutorial.folder, "p"), join(tutorial.folder, "q")];
  symlinkSync(".pnpm/a@1.0.0/node_modules/a", join(from, "node_modules/a"));
  copyProject(from, to);
  const shared = (path: string) => statSync(join(from, path)).ino === statSync(join(to, path)).ino;
  expect(shared("node_modules/a/bin/a.js")).toBe(true);
  for (const path of ["main.ts", "node_modules/.modules.yaml", "node_modules/.pnpm/lock.yaml"])
    expect(shared(path), path).toBe(false);
  expect(readlinkSync(join(to, "node_modules/a"))).toBe(".pnpm/a@1.0.0/node_modules/a");
});

test("reports files that only a run writes, on the page and on the next one", async () => {
  const only = first.replace("~~~console replay\n$ tr", "~~~console\n$ tr");
  using tutorial = temporaryTutorial({ ...files, "1-first.md": only });
  const report = await tutorial.run("1-first.md");
  expect(report.difference?.message).toContain(
    "2-second.md starts from a different folder than the page leaves",
  );
  expect(report.difference?.message).toContain("the page leaves loud.txt, which 2-second.md does not have");
  const sequel = await tutorial.run("2-second.md", { limits: { repeat: 2_000 } });
  expect(sequel.difference).toMatchObject({ line: 10, message: "exit status 1, the page says 0" });
});

test("compares the last page with the committed project", async () => {
  using tutorial = temporaryTutorial({ ...files, "p/loud.txt": "HELLO\n" });
  expect((await tutorial.run("1-first.md")).passed).toBe(true);
  const report = await tutorial.run("2-second.md");
  expect(report.difference?.message).toContain("loud.txt differs from what the committed project has");
});

test("reports a replayed command that fails, with its output", async () => {
  const broken = first.replace("mkdir p && cd p", "test -t 0 && mkdir p && cd p; mkdir -p p; ls /nowhere");
  using tutorial = temporaryTutorial({ ...files, "1-first.md": broken });
  await expect(tutorial.run("2-second.md")).rejects.toMatchObject({
    message: expect.stringMatching(
      /^1-first\.md:8: replayed for a later page, its commands exit with status 2$/,
    ),
    diff: [{ kind: "+", text: expect.stringContaining("/nowhere") }],
  });
  expect(tutorial.left()).toEqual([]);
});

test("an interrupt ends a replayed command", async () => {
  const slow = first.replace(
    "$ echo hello >",
    '$ touch "$TUTORIAL/started"; sleep 1000 & wait; echo hello >',
  );
  using tutorial = temporaryTutorial({ ...files, "1-first.md": slow });
  const abort = new AbortController();
  const running = tutorial.run("2-second.md", { signal: abort.signal });
  while (!existsSync(join(tutorial.folder, "started"))) await setTimeout(20);
  abort.abort();
  await expect(running).rejects.toThrow(/abort/i);
  expect(tutorial.left()).toEqual([]);
});

test("reports a page that never makes the folder of its project", async () => {
  using tutorial = temporaryTutorial({
    "1-first.md": "---\ntitle: One\nproject: p\nstart: nothing\n---\n## Begin\n\n~~~console\n$ true\n~~~\n",
    ...committed,
  });
  expect((await tutorial.run("1-first.md")).difference?.message).toBe("the page never makes the folder p");
});

test("fails without the step that makes the folder", async () => {
  using tutorial = temporaryTutorial(files);
  const page = parsePage(first.replaceAll("~~~", "```"), `${tutorial.folder}/1-first.md`);
  const report = await runPage(dropStep(page, "begin"), { root: tutorial.folder });
  expect(report.difference).toMatchObject({ step: "change", line: expect.any(Number) });
});
