import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { KubeConfig } from "@operator-path/client";
import { expect, test, vi } from "vitest";
import { markedProcesses } from "../leaks/processes.ts";
import { changeWord, dropEachStep, replaceInPage } from "../mutate/mutate-page.ts";
import { formatJunit } from "../report/formats.ts";
import type { Report } from "../report/report.ts";
import { formatReport } from "../report/terminal.ts";
import { temporaryPage } from "../testing/temporary-page.ts";
import { runPage } from "./run-page.ts";

const greeting = `
## Write it

[greet.sh](p/greet.sh)
~~~sh file
name=$1
echo "hello $name"
~~~

~~~console
$ bash greet.sh world
hello world
~~~

## Edit it

[greet.sh](p/greet.sh)
~~~diff
 name=$1
-echo "hello $name"
+echo "goodbye $name"
~~~

[greet.sh](p/greet.sh)
~~~sh
# …
echo "goodbye $name"
~~~

~~~console
$ bash greet.sh world | tee log; cd ..; ls p
goodbye world
greet.sh  log
~~~

## Clean up

~~~console
$ rm p/log
~~~
`;
const project = { front: "project: p\n", files: { "p/greet.sh": 'name=$1\necho "goodbye $name"\n' } };

test("uses the names of earlier steps in later commands", async () => {
  // With its newline the name on the page has 24 characters, and the learner's has 25.
  using tutorial = temporaryPage(
    "## First\n~~~console\n$ echo payment-868b74bb95-lc7fx\npayment-7c9d8b5f6-x2x4q\n~~~\n## Second\n~~~console\n$ echo payment-7c9d8b5f6-x2x4q | wc -c\n25\n~~~\n",
  );
  expect(await tutorial.run()).toMatchObject({ passed: true });
});

test("runs a block for several providers", async () => {
  using tutorial = temporaryPage(
    "## S\n~~~console provider=kind,embedded\n$ echo yes > here\n~~~\n~~~console provider=kind,existing\n$ false\n~~~\n~~~console\n$ cat here\nyes\n~~~\n",
  );
  const report = await tutorial.run();
  expect(report).toMatchObject({ passed: true, steps: [{ skipped: ["line 8: only on kind, existing"] }] });
});

test("passes a correct page, and leaves nothing", async () => {
  using tutorial = temporaryPage(greeting, project);
  const report = await tutorial.run();
  expect(report.difference).toBeUndefined();
  expect(report).toMatchObject({ passed: true, leaks: [] });
  expect(report.steps.map(({ slug, status }) => [slug, status])).toEqual([
    ["write-it", "passed"],
    ["edit-it", "passed"],
    ["clean-up", "passed"],
  ]);
  expect(readdirSync(tutorial.runs)).toEqual([]);
});

test("fails a page without any one of its steps that change something", async () => {
  using tutorial = temporaryPage(greeting, project);
  const mutations = dropEachStep(tutorial.page);
  expect(mutations.map(({ name }) => name)).toEqual([
    'without the step "write-it"',
    'without the step "edit-it"',
    'without the step "clean-up"',
  ]);
  for (const { name, page } of mutations) {
    const report = await runPage(page, { root: tutorial.folder, parent: tutorial.runs });
    expect(report.passed, name).toBe(false);
  }
});

test("reports a changed word of expected output with page, line and step", async () => {
  using tutorial = temporaryPage(greeting, project);
  const line = tutorial.page.source.split("\n").indexOf("goodbye world") + 1;
  const report = await runPage(changeWord(tutorial.page, line), {
    root: tutorial.folder,
    parent: tutorial.runs,
  });
  expect(report).toMatchObject({ passed: false, difference: { line, step: "edit-it" } });
  const text = formatReport(report);
  expect(text).toContain(`${tutorial.page.path}:${line}  step edit-it`);
  expect(text).toContain("- goodbye worldx\n+ goodbye world");
  expect(formatJunit([report])).toContain(`page.md:${line}: the output is not what the page shows`);
});

test("fails a project that differs from the committed one in a byte", async () => {
  using tutorial = temporaryPage(greeting, project);
  const report = await runPage(
    replaceInPage(tutorial.page, 'name=$1\necho "hello', 'name=$1 \necho "hello'),
    {
      root: tutorial.folder,
      parent: tutorial.runs,
    },
  );
  // The edit's context does not fit any more, which fails before the closure check.
  expect(report.difference?.message).toContain('the file does not have this line here: "name=$1"');
  using other = temporaryPage(greeting, { ...project, files: { "p/greet.sh": "name=$1\n" } });
  expect((await other.run()).difference).toMatchObject({
    message: expect.stringContaining("greet.sh differs from what the committed project has"),
    step: "edit-it",
  });
});

test("keeps a process running in its terminal, matches its later lines in order, and ends it with ^C", async () => {
  using tutorial = temporaryPage(`
## S
~~~console
$ mkfifo pipe
~~~
~~~console terminal=server running
$ echo starting; cat pipe
starting
~~~
~~~console
$ (echo one; echo two; echo three; sleep 100) > pipe &
[1] 12345
~~~
~~~console terminal=server
one
...
three
^C
~~~
## Clean up
~~~console
$ kill %1; wait; rm pipe
...
~~~
`);
  expect(await tutorial.run()).toMatchObject({ passed: true });
});

test("compares the answers to lines typed at a program's prompt", async () => {
  using tutorial = temporaryPage(`
## S
~~~console prompt="ask> "
$ while read -rp "ask> " line; do [ "$line" = quit ] && exit; echo "you said $line"; done
ask> hello
you said hello
ask> ^D
~~~
`);
  expect(await tutorial.run()).toMatchObject({ passed: true });
});

test("repeats a command that reads until it matches, and runs others once", async () => {
  using tutorial = temporaryPage(`
## S
~~~console
$ (sleep 0.4; echo ready > state) &
...
$ cat state
ready
$ echo x >> count; cat count
x
~~~
`);
  expect(await tutorial.run()).toMatchObject({ passed: true });
  using once = temporaryPage("## S\n~~~console\n$ echo x >> count; wc -l < count\n2\n~~~\n");
  expect(await once.run()).toMatchObject({ passed: false, difference: { line: 7 } });
});

test("fails `holds` when the output stops matching", async () => {
  using tutorial = temporaryPage(
    "## S\n~~~console\n$ touch a; (sleep 0.5; rm a) &\n...\n~~~\n~~~console holds=3s\n$ ls\na\n~~~\n",
  );
  const report = await tutorial.run();
  expect(report.difference?.message).toContain("it did not hold");
});

test("skips blocks for another provider, with the reason", async () => {
  using tutorial = temporaryPage("## S\n~~~console provider=kind\n$ false\n~~~\n");
  expect((await tutorial.run()).steps[0]).toMatchObject({
    status: "skipped",
    skipped: ["line 5: only on kind"],
  });
});

test("gives the page's shells their own HOME, and nothing of this process's environment", async () => {
  process.env.WALKTHROUGH_TEST_SECRET = "secret";
  try {
    using tutorial = temporaryPage(
      '## S\n~~~console\n$ env | grep -c SECRET\n0\n? 1\n$ [ "$HOME" != ~root ] && [ -d "$HOME" ] && echo "$TERM $NO_COLOR $LANG"\ndumb 1 C.UTF-8\n~~~\n',
    );
    expect(await tutorial.run()).toMatchObject({ passed: true });
  } finally {
    delete process.env.WALKTHROUGH_TEST_SECRET;
  }
});

test("fails a page that leaves a process, a port or a file", async () => {
  using tutorial = temporaryPage(`
## S
~~~console
$ node -e 'require("node:net").createServer().listen(0, "127.0.0.1", () => require("node:fs").writeFileSync("up", ""))' >/dev/null 2>&1 & disown
...
$ cat up
$ touch "$TUTORIAL/left"
~~~
`);
  const report = await tutorial.run();
  expect(report.difference).toBeUndefined();
  expect(report.passed).toBe(false);
  expect(report.leaks).toEqual([
    expect.stringMatching(/^process \d+ `.*node.*`, which listens on port \d+$/),
    `file ${tutorial.folder}/left`,
  ]);
});

test("runs Clean up to its end after a failure", async () => {
  using tutorial = temporaryPage(
    '## S\n~~~console\n$ touch "$TUTORIAL/left"\n$ false\n~~~\n## Never\n~~~console\n$ true\n~~~\n## Clean up\n~~~console\n$ false\n$ rm "$TUTORIAL/left"\n~~~\n',
  );
  const report = await tutorial.run();
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { line: 7, step: "s" } });
  expect(report.steps.map(({ status }) => status)).toEqual(["failed", "not run", "failed"]);
});

test("without Clean up after a difference, still ends what the page started", async () => {
  using tutorial = temporaryPage(
    '## S\n~~~console\n$ sleep 298 >/dev/null 2>&1 & disown\n...\n$ false\n~~~\n## Clean up\n~~~console\n$ touch "$TUTORIAL/left"\n~~~\n',
  );
  const report = await tutorial.run({ cleanUpAfterDifference: false });
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { step: "s" } });
  expect(report.steps.map(({ status }) => status)).toEqual(["failed", "not run"]);
  // Another run of this test on this machine may have this process for a moment.
  await expect.poll(() => markedProcesses().filter(({ command }) => command === "sleep 298")).toEqual([]);
});

test("reports an unexpected error in a step, and runs Clean up", async () => {
  using tutorial = temporaryPage(
    '## S\n~~~console\n$ mkdir greet.sh; touch "$TUTORIAL/left"\n~~~\n## Broken\n[greet.sh](p/greet.sh)\n~~~sh file\necho\n~~~\n## Clean up\n~~~console\n$ rm "$TUTORIAL/left"\n~~~\n',
    project,
  );
  const report = await tutorial.run();
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { line: 11, step: "broken" } });
  expect(report.difference?.message).toMatch(/^this could not be run: EISDIR/);
  expect(report.steps.map(({ status }) => status)).toEqual(["passed", "failed", "passed"]);
});

test.each([
  ["of the run", undefined, []],
  [
    "of other users",
    "operator-path-1",
    [
      /^the run could not remove the objects of the page \(.*ECONNREFUSED.*\): run `kubectl delete namespaces\/shop`$/,
    ],
  ],
])("reports a cluster %s that does not answer at the end", async (_, namespace, more) => {
  const server = createServer((_, response) => response.end('{"items":[]}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  using tutorial = temporaryPage("## A\n~~~console\n$ true\n~~~\n", {
    front: "providers: [embedded, existing]\ncreates: [namespaces/shop]\n",
    files: { kubeconfig: "" },
  });
  const kubeConfig = new KubeConfig();
  const url = `http://127.0.0.1:${port}`;
  kubeConfig.loadFromClusterAndUser({ name: "brief", server: url, skipTLSVerify: true }, { name: "me" });
  const report = await tutorial.run({
    cluster: {
      provider: "embedded",
      name: "brief",
      ...(namespace !== undefined && { namespace }),
      kubeconfigPath: join(tutorial.folder, "kubeconfig"),
      kubeConfig,
      stop: async () => {},
    },
    async beforeStep() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return true;
    },
  });
  expect(report).toMatchObject({ passed: false, steps: [{ status: "passed" }] });
  expect(report.leaks).toEqual([
    expect.stringMatching(/^perhaps objects in the cluster, which does not answer: .*ECONNREFUSED/),
    ...more.map((pattern) => expect.stringMatching(pattern)),
  ]);
});

test("ends the run at an error of `beforeStep`, and runs Clean up", async () => {
  using tutorial = temporaryPage(
    '## A\n~~~console\n$ touch "$TUTORIAL/left"\n~~~\n## B\n~~~console\n$ true\n~~~\n## Clean up\n~~~console\n$ rm "$TUTORIAL/left"\n~~~\n',
  );
  const report = await tutorial.run({
    async beforeStep({ slug }) {
      if (slug === "b") throw new Error("the terminal has closed");
      return true;
    },
  });
  expect(report).toMatchObject({ passed: false, leaks: [], difference: { line: 8, step: "b" } });
  expect(report.difference?.message).toContain("the terminal has closed");
  expect(report.steps.map(({ status }) => status)).toEqual(["passed", "not run", "passed"]);
});

test("reports every failure of Clean up, also after an earlier failure", async () => {
  const cleanUp = "## Clean up\n~~~console\n$ rm one\n$ rm two\n~~~\n~~~console\n$ rm three\n~~~\n";
  const contextOf = (report: Report) => {
    const lines = report.difference?.context.find(({ title }) => title.includes("clean-up"))?.lines ?? [];
    return lines.map((line) => /:(\d+) .*`(.*)`/.exec(line)?.slice(1).join(" "));
  };
  using fine = temporaryPage(`## S\n~~~console\n$ true\n~~~\n${cleanUp}`);
  const failed = await fine.run();
  expect(failed.difference).toMatchObject({ step: "clean-up", line: 10, command: "rm one" });
  expect(contextOf(failed)).toEqual(["11 rm two", "14 rm three"]);
  using broken = temporaryPage(`## S\n~~~console\n$ false\n~~~\n${cleanUp}`);
  const both = await broken.run();
  expect(both.difference).toMatchObject({ step: "s", command: "false" });
  expect(contextOf(both)).toEqual(["10 rm one", "11 rm two", "14 rm three"]);
});

test("runs no Clean up if it stops before the first step", async () => {
  using tutorial = temporaryPage("## A\n~~~console\n$ true\n~~~\n## Clean up\n~~~console\n$ false\n~~~\n");
  const report = await tutorial.run({ beforeStep: async () => false });
  expect(report.steps.map(({ status }) => status)).toEqual(["not run", "not run"]);
  expect(report.difference).toBeUndefined();
});

test("stops before a step if `beforeStep` says so", async () => {
  using tutorial = temporaryPage("## A\n~~~console\n$ true\n~~~\n## B\n~~~console\n$ false\n~~~\n");
  const report = await tutorial.run({ beforeStep: async (step) => step.slug === "a" });
  expect(report.steps.map(({ status }) => status)).toEqual(["passed", "not run"]);
});

test("skips a page that needs a program which the machine lacks, and names it", async () => {
  using tutorial = temporaryPage("## A\n~~~console\n$ true\n~~~\n", {
    front: "requires: [no-such-program]\n",
  });
  const report = await tutorial.run();
  expect(report).toMatchObject({
    passed: false,
    skipped: "it needs no-such-program, which this machine lacks",
    steps: [{ status: "not run" }],
  });
});

/** A page whose second block begins with a change of folder, after `define` in the same terminal. */
const inFolder = (define: string): string =>
  `## S\n~~~console\n$ mkdir sub; ${define}\n~~~\n~~~console cwd=sub\n$ pwd\n[..]/sub\n~~~\n`;

test.each([
  [
    "does not end",
    "cd() { sleep 300; }",
    "`cd FOLDER` in the terminal did not end within 0.5 s: look for a function or alias called cd, or a folder that does not answer, or give the block more time (timeout=…)",
  ],
  [
    "fails",
    "cd() { echo no way >&2; return 3; }",
    "`cd FOLDER` in the terminal ended with exit status 3: look for a function or alias called cd, and whether you may enter the folder",
  ],
])("reports a change of folder that %s", async (_, define, message) => {
  using tutorial = temporaryPage(inFolder(define), { front: "project: p\n" });
  const { difference } = await tutorial.run({ limits: { command: 500 }, closure: false });
  expect(difference?.message.replace(/cd '[^']*\/p\/sub'/, "cd FOLDER")).toBe(message);
  expect(difference?.line).toBe(9);
});

test("stops a change of folder when the run is interrupted", async () => {
  const define = 'cd() { touch "$TUTORIAL/../entered"; sleep 300; }';
  using tutorial = temporaryPage(inFolder(define), { front: "project: p\n" });
  const interrupted = new AbortController();
  const running = tutorial.run({ signal: interrupted.signal, closure: false });
  await vi.waitFor(() => expect(existsSync(join(tutorial.folder, "../entered"))).toBe(true));
  interrupted.abort();
  const report = await running;
  expect(report).toMatchObject({ passed: false, leaks: [] });
  expect(report.difference).toBeUndefined();
});
