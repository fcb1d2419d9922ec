import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createVitestRunner } from "./vitest-runner.ts";

const vitest = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));

/** A project with one test, which notes its process. */
function project() {
  const learner = mkdtempSync(join(tmpdir(), "vitest-runner-"));
  mkdirSync(join(learner, "node_modules"));
  symlinkSync(vitest, join(learner, "node_modules/vitest"));
  const files = {
    "package.json": '{"type":"module"}',
    "node_modules/.modules.yaml": "",
    "size.ts": "export const size = 1;",
    "size.test.ts": `import { appendFileSync } from "node:fs";
      import { expect, test } from "vitest";
      import { size } from "./size.ts";
      appendFileSync("processes", process.pid + "\\n");
      test("the size is two", () => expect(size).toBe(2));`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(learner, name), text);
  return {
    learner,
    processes: () => readFileSync(join(learner, "processes"), "utf8").trim().split("\n").map(Number),
    [Symbol.dispose]: () => rmSync(learner, { recursive: true }),
  };
}

test("keeps vitest until the next install, and runs each file as it is now", async () => {
  using folder = project();
  const { learner } = folder;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH: PATH ?? "", ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
  const options = { learner, work: learner, env, timeout: 60_000, pattern: ".*" };
  const statuses: unknown[] = [];
  {
    await using runner = createVitestRunner();
    const run = async () => {
      const { tests, problem } = await runner.run("size.test.ts", options);
      statuses.push(problem ?? tests.map(({ status }) => status).join());
    };
    await run();
    writeFileSync(join(learner, "size.ts"), "export const size = 2;");
    await run();
    writeFileSync(join(learner, "vitest.config.ts"), 'export default { test: { include: ["no"] } };');
    await run();
    rmSync(join(learner, "vitest.config.ts"));
    utimesSync(join(learner, "node_modules/.modules.yaml"), 1, 1);
    await run();
  }
  const notFound = "vitest does not find it: does `include` of its configuration match the file?";
  expect(statuses).toEqual(["failed", "passed", notFound, "passed"]);
  const [first, second, afterInstall] = folder.processes();
  expect(second).toBe(first);
  expect(afterInstall).not.toBe(first);
  for (const pid of folder.processes()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("ends a file that takes too long, and then starts vitest again", async () => {
  using folder = project();
  const { learner } = folder;
  const options = { learner, work: learner, env: { PATH: process.env.PATH ?? "" }, pattern: ".*" };
  await using runner = createVitestRunner();
  const late = await runner.run("size.test.ts", { ...options, timeout: 1 });
  expect(late.problem).toBe("it did not end within 0.001 s");
  const { tests } = await runner.run("size.test.ts", { ...options, timeout: 60_000 });
  expect(tests.map(({ path, status }) => [...path, status])).toEqual([["the size is two", "failed"]]);
});
