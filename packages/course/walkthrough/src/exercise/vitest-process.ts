// Runs test files with the vitest of the project in the working folder, one request of its parent after the
// other. Each run reads the configuration again, and has a server and worker threads of its own: only the code
// of vitest and vite stays loaded, which takes longer than a small test.
import { createRequire } from "node:module";
import { join, resolve, sep } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";

export interface VitestRequest {
  /** Path of the test file, relative to the project. */
  readonly path: string;
  /** Matches the full names of the tests to run. */
  readonly pattern: string;
}

export interface VitestReply {
  readonly tests: readonly {
    /** The titles from the outermost `describe` on. */
    readonly path: readonly string[];
    readonly status: "passed" | "failed" | "skipped";
    /** Of the first error. Empty for a test that did not fail. */
    readonly stack: string;
    /** Of the first error, with colours. Empty without one. */
    readonly diff: string;
  }[];
  /** Why the file did not run, or not to its end. */
  readonly problem?: string;
  /** What vitest printed, with colours. */
  readonly output: string;
}

/** The part of `vitest/node` that is used. The learner's project has its own vitest. */
interface VitestNode {
  createVitest(
    mode: "test",
    options: object,
    viteOverrides: object,
    streams: { readonly stdout: Writable; readonly stderr: Writable },
  ): Promise<Vitest>;
}

interface Vitest {
  standalone(): Promise<void>;
  globTestSpecifications(filters: readonly string[]): Promise<readonly Specification[]>;
  runTestSpecifications(
    specifications: readonly Specification[],
  ): Promise<{ readonly testModules: readonly TestModule[] }>;
  close(): Promise<void>;
}

interface Specification {
  readonly moduleId: string;
}

interface TestError {
  readonly message: string;
  readonly stack?: string;
  readonly diff?: string;
}

interface TestModule {
  readonly children: { allTests(): Iterable<TestCase> };
  errors(): readonly TestError[];
}

interface TestCase {
  readonly name: string;
  readonly parent: TestSuite | { readonly type: "module" };
  result(): { readonly state: string; readonly errors?: readonly TestError[] | undefined };
}

interface TestSuite {
  readonly type: "suite";
  readonly name: string;
  readonly parent: TestCase["parent"];
}

const project = createRequire(join(process.cwd(), "package.json"));
const { createVitest } = (await import(pathToFileURL(project.resolve("vitest/node")).href)) as VitestNode;

process.on("message", async (request: VitestRequest) => {
  const reply = await run(request);
  process.send?.(reply);
});
// The parent has ended without stopping this process group, which includes what a test started.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));

async function run({ path, pattern }: VitestRequest): Promise<VitestReply> {
  let output = "";
  const stream = new Writable({
    write(text, _, done) {
      output += String(text);
      done();
    },
  });
  // A thread starts faster than a process, and a single file needs no more isolation.
  const options = {
    run: true,
    watch: false,
    pool: "threads",
    testNamePattern: pattern,
    reporters: ["default"],
  };
  try {
    const vitest = await createVitest("test", options, {}, { stdout: stream, stderr: stream });
    try {
      await vitest.standalone();
      const file = resolve(path).split(sep).join("/");
      const found = (await vitest.globTestSpecifications([path])).filter(({ moduleId }) => moduleId === file);
      if (found.length === 0) {
        const problem = "vitest does not find it: does `include` of its configuration match the file?";
        return { tests: [], problem, output };
      }
      const { testModules } = await vitest.runTestSpecifications(found);
      const [problem] = testModules.flatMap((module) => module.errors()).map(({ message }) => message);
      const tests = testModules.flatMap((module) => [...module.children.allTests()].map(resultOf));
      return { tests, output, ...(problem !== undefined && { problem }) };
    } finally {
      await vitest.close();
    }
  } catch (error) {
    return { tests: [], problem: error instanceof Error ? error.message : String(error), output };
  }
}

function resultOf(test: TestCase): VitestReply["tests"][number] {
  const { state, errors = [] } = test.result();
  const [error] = errors;
  return {
    path: titlesOf(test),
    status: state === "passed" || state === "failed" ? state : "skipped",
    stack: error?.stack ?? error?.message ?? "",
    diff: error?.diff ?? "",
  };
}

function titlesOf({ name, parent }: TestCase | TestSuite): string[] {
  return parent.type === "suite" ? [...titlesOf(parent as TestSuite), name] : [name];
}
