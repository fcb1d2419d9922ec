import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

  it("are right after the edit of the last step", async () => {
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, ...sumFiles.more });
    expect((await check()).said).toContain('Right so far: step 4 of 5, "Larger numbers"');
  });

  it("are right before the first step", async () => {
    expect(await check()).toEqual({
      status: 0,
      said: `✓ Right so far: you have not begun. Next: "Set it up" (${page}:${line("## Set it up")})`,
    });
  });
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
    expect(said).toContain(`The page shows it at ${page}:${line("console.log(add(1, 2));")}`);
    expect(said).toContain("+ console.logg(add(1, 2));");
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

  it("that a test detects is reported with the test and the first differing line", async () => {
    const wrong = sumFiles.add["src/add.ts"].replace("a + b", "a - b");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain('✗ src/add.ts:2: it differs from the page, and "adds" of src/add.test.ts fails');
    expect(said).toContain(`The page shows it at ${page}:${line("return a + b")}`);
    expect(said).toMatch(/-1 !== 3[\s\S]*-\s+return a \+ b;\n\s+\+\s+return a - b;/);
  });

  it("in a manifest is reported with the first differing line", async () => {
    const wrong = sumFiles.program["map.yaml"].replace("name: sum", "name: some");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
    const { status, said } = await check();
    expect(status).toBe(1);
    expect(said).toContain("✗ map.yaml:4: it differs from the page");
    expect(said).toContain(`${page}:${line("name: sum")}`);
  });

  it("in a file with Windows line ends is reported at its own line, with the cure", async () => {
    const wrong = sumFiles.program["map.yaml"].replace("name: sum", "name: some").replaceAll("\n", "\r\n");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "map.yaml": wrong });
    const { said } = await check();
    expect(said).toContain("✗ map.yaml:4: it differs from the page");
    expect(said).toContain("map.yaml has Windows line ends (CRLF). Remove them: sed -i 's/\\r$//' map.yaml");
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
    expect(said).toContain("✗ src/main.ts:3: an edit of the page is not there yet");
    expect(said).toContain(`${page}:${line("+console.log(add(40, 2));")}`);
  });
});

it("compares a mistake within an edit with the edited version", async () => {
  const typo = sumFiles.more["src/main.ts"].replace("40, 2", "40, 22");
  await learner.write({ ...sumFiles.setup, ...sumFiles.add, ...sumFiles.program, "src/main.ts": typo });
  const { said } = await check();
  expect(said).toContain('step 4 of 5, "Larger numbers"');
  expect(said).toContain("- console.log(add(40, 2));");
});

describe("another solution", () => {
  it("is right if it passes the tests", async () => {
    const own = sumFiles.add["src/add.ts"].replace("return a + b", "const sum = b + a;\n  return sum");
    await learner.write({ ...sumFiles.setup, ...sumFiles.add, "src/add.ts": own });
    const { status, said } = await check();
    expect(status).toBe(0);
    expect(said).toContain("src/add.ts is not the page's, and passes src/add.test.ts.");
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
    expect(said).toContain("src/main.ts:3 is not the page's");
    expect(said).toContain("+ console.error(add(1, 2));");
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
    await expect(check("02-product/1@x")).rejects.toThrow("there is no folder of yours for 02-product yet");
  });
});
