import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, onTestFailed } from "vitest";
import { createLearnerEnvironment } from "../start/learner-environment.ts";
import { openTerminal } from "../testing/terminal.ts";
import { terminalVocabulary } from "../vocabulary.ts";
import { doExercise, type ExerciseAction, type ExerciseOptions, listExercises } from "./exercise.ts";

const starter = 'export function double(n: number): number {\n  throw new Error("your turn");\n}\n';
const solved = "export function double(n: number): number {\n  return 2 * n;\n}\n";
const page = `---
title: Double
project: p
---

## The manifest

[package.json](p/package.json)

~~~json file
{"type":"module"}
~~~

## Twice

The test [\`twice\`](p/double.test.ts) fails.

[double.ts](p/double.ts)

~~~ts exercise
${starter}~~~

<details><summary>Hint</summary>

Think of \`n + n\`.

</details>
<details><summary>Hint</summary>

Or of 2.

</details>
`.replaceAll("~~~", "```");
const files = {
  "tutorials/01-double/1-page.md": page,
  "tutorials/01-double/p/package.json": '{"type":"module"}\n',
  "tutorials/01-double/p/double.ts": solved,
  "tutorials/01-double/p/double.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { double } from "./double.ts";
test("twice", () => assert.equal(double(21), 42));
`,
};

const words = terminalVocabulary({ learn: "pnpm learn", exercise: "pnpm exercise", pnpm: "pnpm" });

let root: string;
let workshops: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "exercise-"));
  workshops = join(root, "workshops");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("pnpm exercise", () => {
  async function exercise(
    action: ExerciseAction,
    o: Partial<Pick<ExerciseOptions, "number" | "cwd" | "env" | "showTests">> & { name?: string } = {},
  ) {
    const said: string[] = [];
    const { name = "01-double/1@twice", ...rest } = o;
    const { signal } = new AbortController();
    const options = {
      root,
      workshops,
      cwd: root,
      env: process.env,
      signal,
      words,
      say: (line: string) => said.push(line),
    };
    const status = await doExercise(name, action, { ...options, ...rest });
    return { status, said: said.join("\n") };
  }
  async function listed(): Promise<string[]> {
    const said: string[] = [];
    const { signal } = new AbortController();
    const options = { root, workshops, cwd: project(), env: process.env, signal, words };
    await listExercises({ ...options, say: (line) => said.push(line) });
    return said;
  }
  const project = () => join(workshops, "01-double/p");
  const file = () => join(project(), "double.ts");
  const begin = () => cp(join(root, "tutorials/01-double/p/package.json"), join(project(), "package.json"));

  it("places starter and tests, checks the solution of the learner, and saves it", async () => {
    await begin();
    await exercise("begin");
    expect(await readFile(file(), "utf8")).toBe(starter);
    expect(await exercise("check")).toEqual({
      status: 1,
      said: "✗ twice  workshops/01-double/p/double.test.ts\n    Error: your turn\n    It fails at workshops/01-double/p/double.ts:2.\nA hint (1 of 2): `pnpm exercise 01-double/1@twice hint`",
    });
    await writeFile(file(), solved.replace("2 * n", "n + n"));
    expect((await exercise("begin")).said).toContain("double.ts: it has the lines of the exercise already.");
    expect(await exercise("check", { name: "01-double/1" })).toEqual({
      status: 0,
      said: "✓ twice  workshops/01-double/p/double.test.ts",
    });
    const { said } = await exercise("solution");
    expect(await readFile(file(), "utf8")).toBe(solved);
    expect(said).toContain("What you wrote is in workshops/01-double/exercises/double.ts.");
    expect(stripVTControlCharacters(said)).toMatch(
      /\(- yours, \+ the solution\):\n--- yours\/double\.ts\n(?:.*\n)*-.*n \+ n.*\n\+.*2 \* n/,
    );
    expect(await readFile(join(workshops, "01-double/exercises/double.ts"), "utf8")).toContain("n + n");
    await exercise("solution");
    expect(await readdir(join(workshops, "01-double/exercises"))).toEqual(["double-2.ts", "double.ts"]);
  });

  it("gives the results to a window that draws them, and says only the rest", async () => {
    await begin();
    await writeFile(file(), solved.replace("2 * n", "n"));
    const shown: unknown[] = [];
    const { said } = await exercise("check", { cwd: project(), showTests: (tests) => shown.push(...tests) });
    expect(said).toBe("A hint (1 of 2): `pnpm exercise 01-double/1@twice hint`");
    const values = { expected: "42", received: "21" };
    expect(shown).toMatchObject([{ name: "twice", file: "double.test.ts", status: "failed", values }]);
  });

  it("names files as the learner's folder does", async () => {
    await begin();
    const there = { name: "1", cwd: project() };
    expect((await exercise("begin", there)).said).toBe(
      'The starter is in double.ts.\nIt must pass "twice" in double.test.ts.\n`pnpm exercise 1 check` runs it; hints: 2.',
    );
    const { said } = await exercise("check", there);
    expect(said).toContain("✗ twice  double.test.ts\n    Error: your turn\n    It fails at double.ts:2.");
  });

  it("takes the number of an exercise of the learner's project, which is also that of a tutorial", async () => {
    await mkdir(join(root, "tutorials/02-next"), { recursive: true });
    await cp(join(root, "tutorials/01-double"), join(root, "tutorials/02-next"), { recursive: true });
    const next = join(workshops, "02-next/p");
    await cp(join(root, "tutorials/02-next/p/package.json"), join(next, "package.json"));
    expect((await exercise("begin", { name: "1" })).status).toBe(0);
    expect(await readFile(join(next, "double.ts"), "utf8")).toBe(starter);
  });

  it("takes the number of a page of the learner's tutorial before a step, and lists that page's names", async () => {
    await cp(join(root, "tutorials/01-double"), join(root, "tutorials/02-next"), { recursive: true });
    const next = join(workshops, "02-next/p");
    await cp(join(root, "tutorials/02-next/p/package.json"), join(next, "package.json"));
    expect((await exercise("begin", { name: "1@twice" })).status).toBe(0);
    expect(await readFile(join(next, "double.ts"), "utf8")).toBe(starter);
    await expect(exercise("begin", { name: "1@thrice" })).rejects.toThrow(/: there are 02-next\/1@twice$/);
  });

  it("is not begun while the file is that of an earlier step, and its tests stay out of the project", async () => {
    await begin();
    await writeFile(file(), "export {};\n");
    expect((await listed())[0]).toContain("(not begun, hints: 2)");
    expect(await readdir(project())).toEqual(["double.ts", "package.json"]);
  });

  it("says that the file has the starter, or what comes first if it has nothing of it", async () => {
    await begin();
    await exercise("begin");
    expect((await exercise("begin")).said).toContain("double.ts: it has the lines of the exercise already.");
    await writeFile(file(), "export {};\n");
    expect((await exercise("begin")).said).toContain("first do the page's earlier steps");
  });

  it("shows hints one at a time", async () => {
    await begin();
    expect((await exercise("hint")).said).toBe(
      "Think of `n + n`.\n\n1 more: `pnpm exercise 01-double/1@twice hint 2`",
    );
    expect((await exercise("hint", { number: 1 })).said).toContain("1 more: `pnpm exercise 01-double/1@");
    expect((await exercise("hint")).said).toBe("Or of 2.");
    expect((await exercise("hint")).said).toBe("Or of 2.");
    expect((await exercise("hint", { number: 2 })).said).toBe("Or of 2.");
    await expect(exercise("hint", { number: 3 })).rejects.toThrow("there is no hint 3: the exercise has 2");
  });

  it("names `pnpm install` if the project's packages are missing", async () => {
    await begin();
    await exercise("begin");
    await writeFile(join(project(), "package.json"), '{"type":"module","dependencies":{"a":"1"}}');
    await expect(exercise("check")).rejects.toThrow(/has no packages yet: run `pnpm install` there first/);
  });

  it("offers the next hint after a failure, and none after the last", async () => {
    await begin();
    await exercise("begin");
    expect((await exercise("check")).said).toContain("A hint (1 of 2)");
    await exercise("hint");
    expect((await exercise("check")).said).toContain("A hint (2 of 2)");
    await exercise("hint");
    expect((await exercise("check")).said).not.toContain("A hint");
  });

  it.each([{}, { FORCE_COLOR: "1" }])(
    "shows the key that differs, and the line of the learner's file, with %j",
    async (env) => {
      const path = join(root, "tutorials/01-double/p/double.test.ts");
      await writeFile(
        path,
        files["tutorials/01-double/p/double.test.ts"].replace(
          "assert.equal(double(21), 42)",
          "assert.deepEqual({ spec: { size: double(21) } }, { spec: { size: 42 } })",
        ),
      );
      await begin();
      await exercise("begin");
      await writeFile(
        file(),
        "export function double(n: number): number {\n  const size = n;\n  return size;\n}\n",
      );
      const { said } = await exercise("check", { env: { ...process.env, ...env } });
      expect(said).toContain(
        "What the test got differs in spec.size: look at workshops/01-double/p/double.ts:2 or 3.",
      );
      expect(said).not.toContain("node:internal");
    },
  );

  it("is found by number, words of its step, and its file, and listed with a tick once solved", async () => {
    await begin();
    const list = async () => (await listed())[0];
    expect(await list()).toBe("  1  Twice  double.ts  (not begun, hints: 2)");
    expect((await exercise("begin", { name: "1" })).said).toContain("`pnpm exercise 1 check` runs it");
    expect(await list()).toBe("  1  Twice  double.ts  (begun, hints: 2)");
    await writeFile(file(), solved);
    for (const name of ["1", "twice", "double.ts"])
      expect((await exercise("check", { name })).status).toBe(0);
    expect(await list()).toBe("✓ 1  Twice  double.ts  (solved)");
    await expect(exercise("check", { name: "thrice" })).rejects.toThrow(
      'there is no exercise "thrice": there are 1 twice',
    );
  });

  it("is listed below its page, and the first that is not solved comes next", async () => {
    await begin();
    await writeFile(
      join(root, "tutorials/01-double/2-page.md"),
      page.replace("title: Double", "title: Again\nstart: page 1").replaceAll("double", "again"),
    );
    await exercise("begin");
    await writeFile(file(), solved);
    expect(await listed()).toEqual([
      "Double",
      "✓ 1  Twice  double.ts  (solved)",
      "Again",
      "  2  Twice  again.ts  (not begun, hints: 2)",
      "`pnpm exercise 2 begin` writes the starter. Then check, hint, solution.",
    ]);
  });

  it("finds one of several exercises of a step by number", async () => {
    const path = join(root, "tutorials/01-double/1-page.md");
    const [before = "", twice = ""] = page.split("## Twice\n");
    const thrice = twice.replaceAll("double.ts", "triple.ts").replace("Think of", "Or think of");
    await writeFile(path, `${before}## Twice\n${twice}${thrice}`);
    await writeFile(join(root, "tutorials/01-double/p/triple.ts"), solved);
    await mkdir(join(workshops, "01-double/p"), { recursive: true });
    const first = await exercise("hint", { name: "01-double/1@twice/1" });
    expect(first.said.split("\n")[0]).toBe("Think of `n + n`.");
    const second = await exercise("hint", { name: "01-double/1@twice/2" });
    expect(second.said.split("\n")[0]).toBe("Or think of `n + n`.");
    const both = "01-double/1@twice/1, 01-double/1@twice/2";
    await expect(exercise("hint")).rejects.toThrow(`which exercise? There are ${both}`);
    await expect(exercise("hint", { name: "01-double/1@twice/3" })).rejects.toThrow(
      `there is no exercise 01-double/1@twice/3: there are ${both}`,
    );
  });

  it("reports missing pages, exercises and folders, and writes nothing", async () => {
    await expect(exercise("begin")).rejects.toThrow(
      'workshops/01-double/p does not exist yet: `pnpm start`, then "Build it yourself", creates it',
    );
    await expect(exercise("check", { name: "01-double/1@thrice" })).rejects.toThrow(
      "there is no exercise 01-double/1@thrice: there are 01-double/1@twice",
    );
    await begin();
    await expect(exercise("check")).rejects.toThrow(/there is no .*double\.ts: `pnpm exercise .* begin`/);
    expect(await readdir(project())).toEqual(["package.json"]);
  });
});

describe("an exercise in the step mode", () => {
  function stepwise() {
    const main = new URL("../testing/stepwise-main.ts", import.meta.url).pathname;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, HOME: root, TMPDIR: root, NO_COLOR: "1" };
    const terminal = openTerminal(main, [join(root, "tutorials/01-double/1-page.md"), workshops], env);
    onTestFailed(() => console.error(terminal.screen()));
    return terminal;
  }
  const yes = "\r";
  const down = "\x1b[B";

  it("shows tests and hints, checks and saves the solution of the learner, and goes on", async () => {
    using terminal = stepwise();
    await terminal.shows("The manifest");
    await terminal.shows("Run this step?");
    terminal.type(yes);
    await terminal.shows(/Twice.*Run this step\?/s);
    // What Enter is in a terminal that is not raw yet.
    terminal.type("\n");
    await terminal.shows("Your turn");
    await terminal.shows("Error: your turn");
    await terminal.shows("Stop here");
    terminal.type(`${down}\r`);
    await terminal.shows("Think of `n + n`.");
    await terminal.shows("1 left");
    const path = /edit (\S+double\.ts) until/.exec(terminal.screen())?.[1] ?? "";
    await writeFile(path, solved.replace("2 * n", "n + n"));
    terminal.type("\r");
    await terminal.shows("It passes.");
    await terminal.shows("Every step does what the page says.");
    expect(await terminal.ended()).toBe(0);
    expect(await readFile(join(workshops, "double.ts"), "utf8")).toContain("n + n");
    expect((await readdir(root)).filter((name) => name.startsWith("operator-path"))).toEqual([]);
  });

  it("saves the solution of the learner after Ctrl+C", async () => {
    using terminal = stepwise();
    await terminal.shows("Run this step?");
    terminal.type(yes);
    await terminal.shows(/Twice.*Run this step\?/s);
    terminal.type(yes);
    await terminal.shows("Stop here");
    const path = /edit (\S+double\.ts) until/.exec(terminal.screen())?.[1] ?? "";
    await writeFile(path, "mine\n");
    terminal.type("\x03");
    await terminal.ended();
    expect(await readFile(join(workshops, "double.ts"), "utf8")).toBe("mine\n");
    expect((await readdir(root)).filter((name) => name.startsWith("operator-path"))).toEqual([]);
  });
});

it("is a command of the learner's shell, relative to its folder", async () => {
  const bin = join(root, "bin");
  const { env } = await createLearnerEnvironment({
    bin,
    kubectl: process.execPath,
    containerTool: process.execPath,
    pnpm: undefined,
    variables: {},
  });
  const cwd = join(root, "tutorials/01-double");
  const run = (...args: string[]) => execa(join(bin, "exercise"), args, { cwd, env, reject: false });
  const { exitCode, stderr } = await run("1-page.md", "hint");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^error: .*01-double\/p does not exist yet: `(pnpm|npx --yes pnpm@12) start`/,
    ),
  });
});
