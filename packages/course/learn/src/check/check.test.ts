import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeFinished } from "../finished-steps.ts";
import { type LearnerProject, learnerProject, sumFiles, sumPage } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";

let learner: LearnerProject;
beforeEach(async () => {
  learner = await learnerProject({ "1-sum.md": sumPage });
});
afterEach(() => learner[Symbol.asyncDispose]());

const check = (step?: string, more: { cwd?: string; env?: Record<string, string> } = {}) =>
  learner.run((options) => checkWork(step, options), more);
const line = (text: string): number => sumPage.split("\n").findIndex((one) => one.includes(text)) + 1;
const page = "1-sum.md";

it("names the checklist for an operator of the learner's own, beside which the example does not exist", async () => {
  await rm(learner.project, { recursive: true });
  await mkdir(join(learner.project, "../mine"));
  await writeFile(join(learner.project, "../mine/capstone.yaml"), "sample: sample.yaml\n");
  const said = expect.stringMatching(
    /^mine is an operator of your own\..* `pnpm exec operator-path checklist`\.$/,
  );
  expect(await check("set-it-up")).toEqual({ status: 0, said });
});

describe("files that equal the page's", () => {
  it("are right, and the next step is named", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add });
    expect(await check()).toEqual({
      status: 0,
      said: `✓ Right so far: step 2 of 5, "Add two numbers". Next: "The program" (${page}:${line("## The program")})`,
    });
  });

  it("are right within a step, and the next file is named", async () => {
    await learner.write({ ...sumFiles.setup, "src/add.ts": sumFiles.add["src/add.ts"] });
    const { status, said } = await check();
    expect(status).toBe(0);
    expect(said).toContain(`Next: src/add.test.ts (${page}:`);
  });

  it("are right within a step, and the next command that brings a file is named", async () => {
    const copy = '~~~console replay\n$ cp "$TUTORIAL/given.ts" src/\n~~~\n\n';
    const page = sumPage.replace("## The program", `${copy}## The program`);
    await using other = await learnerProject({ "1-sum.md": page, "given.ts": "export {};\n" });
    await other.write({ ...sumFiles.setup, ...sumFiles.add });
    const again = async () => (await other.run((options) => checkWork(undefined, options))).said;
    const at = page.split("\n").findIndex((one) => one.startsWith("$ cp")) + 1;
    expect(await again()).toBe(
      `✓ Right so far: step 2 of 5, "Add two numbers". Next: \`cp "$TUTORIAL/given.ts" src/\` (1-sum.md:${at})`,
    );
    await other.write({ "src/given.ts": "export {};\n" });
    expect(await again()).toContain('Next: "The program"');
  });

  it("are right after the edit of the last step", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
    expect((await check()).said).toContain('Right so far: step 4 of 5, "Larger numbers"');
  });

  it("are right before the first step", async () => {
    expect(await check()).toEqual({
      status: 0,
      said: `✓ Right so far: you have no file to check yet. Next: "Set it up" (${page}:${line("## Set it up")})`,
    });
  });
});

it("names the line that was left out, not the page's own line that needs it", async () => {
  const program = sumFiles.program["src/main.ts"].replace(/^import .*\n/, "");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": program });
  const { said } = await check();
  expect(said).toMatch(/src\/main\.ts:1: it differs .*, and does not compile: line 2: error TS2304: .*'add'/);
  expect(said).toContain("Correct line 1.");
});

it("does not take a test for the proof of itself", async () => {
  const test = sumFiles.add["src/add.test.ts"].replace("assert.equal(add(1, 2), 3)", "void add(1, 2)");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.test.ts": test });
  const { said } = await check();
  expect(said).not.toContain("passes src/add.test.ts");
  expect(said).toMatch(/src\/add\.test\.ts:\d+ differs .* no test covers it: is that what you want\?/);
});

describe("the menu's record", () => {
  const done = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(learner.workshops, "progress.json"), "utf8"));

  it("has the steps that check found right, and not one that is incomplete", async () => {
    await learner.write({ ...sumFiles.setup, "src/add.ts": sumFiles.add["src/add.ts"] });
    await check();
    expect(await done()).toMatchObject({ last: "01-sum/1", pages: { "01-sum/1": { done: ["set-it-up"] } } });
    await learner.write(sumFiles.add);
    await check();
    await check("1");
    expect(await done()).toMatchObject({ pages: { "01-sum/1": { done: ["set-it-up", "add-two-numbers"] } } });
  });

  it("has the steps before a mistake", async () => {
    await learner.write({ ...sumFiles.add, "package.json": sumFiles.setup["package.json"] });
    expect((await check()).status).toBe(1);
    expect(learner.has("progress.json")).toBe(false);

    const wrong = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    await learner.write({ ...sumFiles.setup, ...sumFiles.program, "src/add.ts": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain('step 2 of 5, "Add two numbers"');
    expect(await done()).toMatchObject({ last: "01-sum/1", pages: { "01-sum/1": { done: ["set-it-up"] } } });
  });

  it("does not have a step with a mistake that an edit of the next step hides", async () => {
    const subtract = "export const subtract = (a: number, b: number): number => a - b;\n";
    const edit = `~~~diff\n   return a + b;\n }\n+\n+${subtract}~~~\n`;
    const next = `## Subtract\n\n~~~console replay\n$ echo made > src/made.txt\n~~~\n\n[src/add.ts](p/src/add.ts)\n\n${edit}\n`;
    const page = sumPage.replace("## The program", `${next}## The program`);
    await using other = await learnerProject({ "1-sum.md": page });
    const wrong = `${sumFiles.add["src/add.ts"].replace("a + b", "a * b")}\n${subtract}`;
    await other.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": wrong });
    const { said } = await other.run((options) => checkWork(undefined, options));
    expect(said).toContain('step 2 of 6, "Add two numbers"');
    expect(said).toContain('src/add.ts:2: it differs from the page, and "adds" of src/add.test.ts fails');
    const record = await readFile(join(other.workshops, "progress.json"), "utf8");
    expect(JSON.parse(record)).toMatchObject({ pages: { "01-sum/1": { done: ["set-it-up"] } } });
  });

  it("does not have a step whose test has not run because of a later mistake", async () => {
    const own = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    const typo = sumFiles.program["src/main.ts"].replace("console.log", "console.logg");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    await learner.write({ "src/add.ts": own, "src/main.ts": typo });
    const { said } = await check();
    expect(said).toContain('step 3 of 5, "The program"');
    expect(said).toContain("error TS2551");
    expect(await done()).toMatchObject({ pages: { "01-sum/1": { done: ["set-it-up"] } } });
  });
});

describe("a mistake", () => {
  it("that does not compile is reported with its place and the compiler's words", async () => {
    const typo = sumFiles.program["src/main.ts"].replace("console.log", "console.logg");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": typo });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain("✗ src/main.ts:3:9: error TS2551: Property 'logg' does not exist");
    expect(said).toMatch(/ \(- yours, \+ the page's\)\n(?:.*\n)* {4}\+ console\.log\(/);
    expect(said).toContain(
      `The page shows it in the step "The program" (${page}:${line("console.log(add(1, 2));")})`,
    );
    expect(said).toContain("- console.logg(add(1, 2));");
  });

  it("that does not compile is reported with its Windows line ends, which make patch reject an edit", async () => {
    const wrong = sumFiles.program["src/main.ts"]
      .replace("console.log", "console.logg")
      .replaceAll("\n", "\r\n");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/main.ts": wrong });
    expect((await check()).said).toContain("src/main.ts has Windows line ends (CRLF). Remove them:");
  });

  it("that does not compile is reported with the compiler's advice", async () => {
    const forgotten = `${sumFiles.program["src/main.ts"]}const later = async () => ({ sum: 3 });\nexport const sum = later().sum;\n`;
    await learner.write({
      ...sumFiles.setup,
      ...sumFiles.add,
      ...sumFiles.program,
      "src/main.ts": forgotten,
    });
    expect((await check()).said).toMatch(/error TS2339: .*Promise.* Did you forget to use 'await'\?/);
  });

  it.each([
    ["./add", "error TS2835: Relative import paths need explicit file extensions"],
    ["./add.js", "there is no src/add.js."],
  ])("that imports %s is reported with the name that Node needs", async (name, message) => {
    const wrong = sumFiles.program["src/main.ts"].replace("./add.ts", name);
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain(`✗ src/main.ts:1:21: ${message}`);
    expect(said).toContain("Write './add.ts': Node runs the .ts files themselves.");
    expect(said).not.toContain("Did you mean");
  });

  it("that does not compile is reported with the compiler's innermost reason", async () => {
    const wrong = "export const own: { b?: string } = {};\nexport const spec: { b: string } = own;\n";
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    await learner.write({ "src/main.ts": sumFiles.program["src/main.ts"] + wrong });
    const { said } = await check();
    expect(said).toMatch(/is not assignable to type '{ b: string; }'\. .*Type 'undefined' is not assignable/);
    expect(said).not.toContain("Types of property");
  });

  it("that expects an error beside the result, as in Go, is reported with what to write", async () => {
    const habit = `${sumFiles.program["src/main.ts"]}const get = async () => ({ sum: 3 });\nexport const [three, err] = await get();\n`;
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": habit });
    const { said } = await check();
    expect(said).toContain("error TS2488");
    expect(said).toContain("Calls here return only their value, and throw their errors");
  });

  it.each([
    ["sum.labels.a = 'b'", "TS2542"],
    ["sum.size = 2", "TS2540"],
    ["delete sum.of", "TS2704"],
    ["sum.parts.push(1)", "TS2349"],
  ])("that changes a cached object (%s) is reported with how to copy it", async (change, code) => {
    const frozen =
      "declare const sum: { readonly size: number; readonly of?: string; readonly labels: { readonly [key: string]: string }; readonly parts: { readonly push: never } };\n";
    const wrong = `${sumFiles.program["src/main.ts"]}${frozen}export const f = () => { ${change}; };\n`;
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": wrong });
    const { said } = await check();
    expect(said).toContain(`error ${code}`);
    expect(said).toContain("const draft: Pod = structuredClone(pod)");
  });

  it("that a test detects is reported with the test and the first differing line", async () => {
    const wrong = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain('✗ src/add.ts:2: it differs from the page, and "adds" of src/add.test.ts fails');
    expect(said).toContain(`(${page}:${line("return a + b")}`);
    expect(said).toMatch(/-1 !== 3[\s\S]*-\s+return a - b;\n\s+\+\s+return a \+ b;/);
  });

  it("in a manifest is reported with the first differing line", async () => {
    const wrong = sumFiles.program["map.yaml"].replace("name: sum", "name: some");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain("✗ map.yaml:4: it differs from the page");
    expect(said).toContain(`${page}:${line("name: sum")}`);
    expect(said).toContain("\n  Correct map.yaml:4; `learn diff map.yaml` shows the whole file");
  });

  it("that is only in upper and lower case is reported as one", async () => {
    const wrong = sumFiles.program["map.yaml"].replace("ConfigMap", "Configmap");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
    const { said } = await check();
    expect(said).toContain(
      "✗ map.yaml:2: it differs from the page (- yours, + the page's). Only upper and lower case differ",
    );
  });

  it("in the case of a file's name is reported with both names", async () => {
    await learner.write({ ...sumFiles.setup, "src/Add.ts": sumFiles.add["src/add.ts"] });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain("✗ src/Add.ts: your file is named src/Add.ts, but the page's is src/add.ts");
    expect(said).toContain(`(${page}:`);
    expect(said).toContain("Rename it: mv src/Add.ts src/add.ts");
    expect(said).toContain('step 2 of 5, "Add two numbers"');
  });

  it("in a file with Windows line ends is reported at its own line, with the cure", async () => {
    const wrong = sumFiles.program["map.yaml"].replace("name: sum", "name: some").replaceAll("\n", "\r\n");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
    const { said } = await check();
    expect(said).toContain("✗ map.yaml:4: it differs from the page");
    expect(said).toContain("map.yaml has Windows line ends (CRLF). Remove them: sed -i 's/\\r$//' map.yaml");
  });

  it("in a Makefile that has spaces for a tab is reported by its line", async () => {
    const makefile = "test:\n\tnode --test\n\nrun:\n\tnode src/main.ts\n";
    const block = `[Makefile](p/Makefile)\n\n~~~make file\n${makefile}~~~\n\n`;
    await using other = await learnerProject({
      "1-sum.md": sumPage.replace("## Larger", `${block}## Larger`),
    });
    await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    await other.write({ Makefile: makefile.replace("\tnode src", "        node src") });
    const { status, said } = await other.run((options) => checkWork(undefined, options));
    expect(status).toBe(1);
    expect(said).toContain(
      '✗ Makefile:5: line 5 begins with spaces, but make needs a tab\n  The page shows it in the step "The program" (1-sum.md:',
    );
    expect(said).toContain("\n  Correct Makefile:5;");
  });

  it("that leaves out a file is reported before later ones", async () => {
    await learner.write({ ...sumFiles.add, "package.json": sumFiles.setup["package.json"] });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain("✗ tsconfig.json: you do not have this file");
    expect(said).not.toContain("src/");
  });

  it("that leaves out an edit is reported for a named step", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    expect((await check()).status).toBe(0);
    const { status, said } = await check("larger");
    expect(status).toBe(1);
    expect(said).toContain("✗ src/main.ts:3: an edit of the page is not there yet (- yours, + the page's)");
    expect(said).toContain(`${page}:${line("+console.log(add(40, 2));")}`);
  });
});

describe("an edit of a file with several changes", () => {
  const edited = `import { add } from "./add.ts";
import { logged } from "./logged.ts";

const sum = add(40, 2);
logged(sum);
`;
  const logged = "export const logged = (sum: number): void => console.log(sum);\n";
  const edit = `~~~diff
-import { add } from "./add.ts";
+import { add } from "./add.ts";
+import { logged } from "./logged.ts";
 
-console.log(add(1, 2));
+const sum = add(40, 2);
+logged(sum);
`;
  const begin = async () => {
    const block = `[src/logged.ts](p/src/logged.ts)\n\n~~~ts file\n${logged}~~~\n\n`;
    const page = sumPage
      .replace("## Larger numbers\n\n", (heading) => heading + block)
      .replace(/~~~diff\n[^~]*/, edit);
    const other = await learnerProject({ "1-sum.md": page });
    await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/logged.ts": logged });
    return other;
  };
  const applied = sumFiles.program["src/main.ts"].replace("\n", '\nimport { logged } from "./logged.ts";\n');

  it.each([
    ["", "\n"],
    [" with Windows line ends", "\r\n"],
  ])("of which one is missing%s is reported with the missing lines", async (_, end) => {
    await using other = await begin();
    await other.write({ "src/main.ts": applied.replaceAll("\n", end) });
    const { status, said } = await other.run((options) => checkWork(undefined, options));
    expect(status).toBe(1);
    expect(said).toContain(
      "✗ src/main.ts:4: an edit of the page is only partly there (- yours, + the page's)",
    );
    expect(said).toContain("- console.log(add(1, 2));\n    + const sum = add(40, 2);\n    + logged(sum);");
    expect(said).not.toContain("- import");
    expect(said.includes("(CRLF)")).toBe(end === "\r\n");
  });

  it("is reported with its type error and the differing lines, also with Windows line ends", async () => {
    await using other = await begin();
    await other.write({
      "src/main.ts": edited.replace("logged(sum)", "logget(sum)").replaceAll("\n", "\r\n"),
    });
    const { said } = await other.run((options) => checkWork(undefined, options));
    expect(said).toContain("✗ src/main.ts:5:1: error TS2552");
    expect(said).toContain("    - logget(sum);\n    + logged(sum);\n  Correct line 5.");
  });
});

it("names the line of the page for a mistake in the only line that an edit adds", async () => {
  const page = sumPage.replace(
    /~~~diff\n[^~]*/,
    "~~~diff\n console.log(add(1, 2));\n+console.log(add(40, 2));\n",
  );
  await using other = await learnerProject({ "1-sum.md": page });
  const typo = `${sumFiles.program["src/main.ts"]}console.Log(add(40, 2));\n`;
  await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": typo });
  const { said } = await other.run((options) => checkWork(undefined, options));
  const at = page.split("\n").indexOf("+console.log(add(40, 2));") + 1;
  expect(said).toContain('step 4 of 5, "Larger numbers"');
  expect(said).toContain("✗ src/main.ts:4:9: error TS2551");
  expect(said).toContain(`The page shows it in the step "Larger numbers" (1-sum.md:${at})`);
});

it("compares a mistake within an edit with the edited version", async () => {
  const typo = sumFiles.more["src/main.ts"].replace("40, 2", "40, 22");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": typo });
  const { said } = await check();
  expect(said).toContain('step 4 of 5, "Larger numbers"');
  expect(said).toContain("+ console.log(add(40, 2));");
});

describe("another solution", () => {
  it("is right if it passes the tests", async () => {
    const own = sumFiles.add["src/add.ts"].replace("return a + b", "const sum = b + a;\n  return sum");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": own });
    const { status, said } = await check();
    expect(status).toBe(0);
    expect(said).toContain("src/add.ts differs from the page's, but passes src/add.test.ts.");
  });

  it("is right if only format and comments differ", async () => {
    const own = `// Mine.\n${sumFiles.add["src/add.ts"].replace("  return a + b;", "    return (a + b)")}`;
    const manifest = "# Mine.\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: sum }\n";
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
    await learner.write({ "src/add.ts": own, "map.yaml": manifest });
    const { status, said } = await check();
    expect({ status, lines: said.split("\n").length }).toEqual({ status: 0, lines: 1 });
  });

  it("is shown, and does not fail, if no test covers it", async () => {
    const own = sumFiles.program["src/main.ts"].replace("console.log", "console.error");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": own });
    const { status, said } = await check();
    expect(status).toBe(0);
    expect(said).toContain("src/main.ts:3 differs from the page's");
    expect(said).toContain("- console.error(add(1, 2));");
  });
});

describe("the place", () => {
  it("is found from the current folder, from the shell's tutorial, and from the newest file", async () => {
    await learner.write(sumFiles.setup);
    const right = 'Right so far: step 1 of 5, "Set it up"';
    expect((await check(undefined, { cwd: learner.project })).said).toContain(right);
    const env = { TUTORIAL: `${learner.root}/tutorials/01-sum` };
    expect((await check(undefined, { env })).said).toContain(right);
    expect((await check(undefined, { cwd: "/" })).said).toContain(right);
  });

  it("is a step by number, anchor, words of the title, or page", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add });
    for (const step of ["2", "add-two-numbers", "two numbers", "1@2", "01-sum/1@add-two-numbers"])
      expect((await check(step)).said).toContain('step 2 of 5, "Add two numbers"');
    await expect(check("nowhere")).rejects.toThrow(/there is no step "nowhere": there are 1 set-it-up, 2 /);
    await expect(check("02-product/1@x")).rejects.toThrow("you have no folder for 02-product yet");
  });
});

it("says what runs while it works", async () => {
  const wrong = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": wrong });
  const done: string[] = [];
  const doing = (what: string) => void done.push(what);
  await learner.run((options) => checkWork(undefined, { ...options, doing }));
  expect(done).toEqual(["reading the pages", "checking the types", "running src/add.test.ts"]);
});

it("says what comes after a page's last step", async () => {
  const next = "---\ntitle: Product\n---\n\n# Product\n\n## Multiply\n";
  await using other = await learnerProject({ "1-sum.md": sumPage, "2-product.md": next });
  const files = { ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more };
  await other.write(files);
  const { status, said } = await other.run((options) => checkWork("clean-up", options));
  expect(status).toBe(0);
  expect(said).toBe(
    '✓ Right so far: step 5 of 5, "Clean up".\n  The page is finished. Next: 01-sum/2, "Product". Type `exit`, and choose "Continue" in the menu.',
  );
  // Without a step too, once the page is finished. Before, it says how to end the page.
  expect((await other.run((options) => checkWork(undefined, options))).said).toBe(said);
  await learner.write(files);
  expect((await check()).said).toContain('step 4 of 5, "Larger numbers"');
  expect((await check()).said).toContain("`check clean-up` says what comes next.");
  expect((await check("4")).said).not.toContain("finished");
  expect((await check("clean-up")).said).toContain("The page is finished, and it is the last one.");
});

it("names the first step of an opened page whose first files are those of the page before", async () => {
  const next =
    "---\ntitle: Product\nproject: p\nstart: page 1\n---\n\n# Product\n\n## Multiply\n\n[more.ts](p/more.ts)\n\n~~~ts file\nexport {};\n~~~\n";
  await using other = await learnerProject({ "1-sum.md": sumPage, "2-product.md": next });
  await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
  const checkOther = () => other.run((options) => checkWork(undefined, options));
  expect((await checkOther()).said).toContain('step 4 of 5, "Larger numbers"');
  await changeFinished(other.workshops, (before) => ({ ...before, opened: "01-sum/2" }));
  expect(await checkOther()).toEqual({
    status: 0,
    said: '✓ Right so far: you have the files with which "Product" begins. Next: "Multiply" (2-product.md:9)',
  });
  await other.write({ "more.ts": "export {};\n" });
  expect((await checkOther()).said).toContain('step 1 of 1, "Multiply"');
});

/** Opens a project of a page whose last step edits a file, removes others, and edits another one. */
async function tidyProject(): Promise<LearnerProject> {
  const tidied = `## Tidy up

[package.json](p/package.json)

~~~diff
-{ "type": "module" }
+{ "type": "module", "private": true }
~~~

~~~console replay
$ rm src/add.test.ts
$ rm -r src/old
~~~

[src/main.ts](p/src/main.ts)

~~~diff
-console.log(add(40, 2));
+console.log(add(3, 4));
~~~

## Clean up
`;
  const old = "[src/old/a.ts](p/src/old/a.ts)\n\n~~~ts file\nexport {};\n~~~\n\n";
  const other = await learnerProject({
    "1-sum.md": sumPage
      .replace("## The program\n\n", `## The program\n\n${old}`)
      .replace("## Clean up\n", tidied),
  });
  const { "src/add.test.ts": _, ...kept } = sumFiles.add;
  await other.write({ ...sumFiles.setup, ...kept, ...sumFiles.program, ...sumFiles.more });
  return other;
}

it("counts a command that removes files once they are gone", async () => {
  await using other = await tidyProject();
  await other.write({ "package.json": '{ "type": "module", "private": true }\n' });
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toMatch(/Right so far: step 5 of 6, "Tidy up"\. Next: src\/main\.ts/);
});

it("names the missing edit before such a command, not the files that it has removed", async () => {
  await using other = await tidyProject();
  const { said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('step 5 of 6, "Tidy up"');
  expect(said).toContain("✗ package.json:1: an edit of the page is not there yet");
});

it("accepts the later version of a file when an earlier step is named", async () => {
  const renamed = "[map.yaml](p/map.yaml)\n\n~~~diff\n-  name: sum\n+  name: total\n~~~\n\n";
  await using other = await learnerProject({
    "1-sum.md": sumPage.replace("## Clean up", `## Another name\n\n${renamed}## Clean up`),
  });
  const map = sumFiles.program["map.yaml"].replace("name: sum", "name: total");
  const files = { ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more };
  await other.write({ ...files, "map.yaml": map });
  const { status, said } = await other.run((options) => checkWork("the-program", options));
  expect({ status, said }).toMatchObject({ status: 0 });
  expect(said).toContain('Right so far: step 3 of 6, "The program"');
  expect(said).toContain("The cluster is not compared");
  await rm(join(other.project, "map.yaml"));
  const { said: without } = await other.run((options) => checkWork("the-program", options));
  expect(without).toContain("✗ map.yaml: you do not have this file");
});

it("shows the type error in a line of the learner's own before one that waits for the page's next edit", async () => {
  const main = 'import { add } from "./add.ts";\n\nconsole.log(add(1, 2, 3));\n';
  const [three, two] = ["console.log(add(1, 2, 3));", "console.log(add(1, 2));"];
  const wider = `## Wider\n\n[src/main.ts](p/src/main.ts)\n\n~~~ts file\n${main}console.log("done");\n~~~\n\n[src/main.ts](p/src/main.ts)\n\n~~~diff\n-${three}\n+${two}\n~~~\n\n## Clean up`;
  await using other = await learnerProject({ "1-sum.md": sumPage.replace("## Clean up", wider) });
  await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program });
  await other.write({ "src/main.ts": `${main}consle.log("done");\n` });
  const { said, status } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain("src/main.ts:4:1: error TS2552: Cannot find name 'consle'");
  expect(status).toBe(1);
});

it("names the learner's extra sources if a generated file differs", async () => {
  const generate = "## Generate\n\n~~~console replay\n$ ls src >list.txt\n~~~\n\n## Clean up";
  await using other = await learnerProject({ "1-sum.md": sumPage.replace("## Clean up", generate) });
  await other.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
  await other.write({ "src/ad.ts": "export {};\n", "list.txt": "ad.ts\nadd.test.ts\nadd.ts\nmain.ts\n" });
  const { status, said } = await other.run((options) => checkWork(undefined, options));
  expect(said).toContain('Right so far: step 5 of 6, "Generate"');
  expect(said).toContain(
    "list.txt differs from the page's: it is generated from your sources, which differ, too. The page does not have src/ad.ts.",
  );
  expect(status).toBe(0);
});
