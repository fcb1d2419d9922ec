import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import stripAnsi from "strip-ansi";
import { placesInStack } from "./failure-place.ts";
import type { FileResults, RunnerOptions, VitestRunner } from "./test-run.ts";
import type { VitestReply, VitestRequest } from "./vitest-process.ts";

interface Running {
  readonly child: ChildProcess;
  /** The project's packages. Vitest starts again after the next install. */
  readonly packages: string;
  /** What the process printed by itself: a crash, or a test that does not write through vitest. */
  printed: string;
}

const program = fileURLToPath(new URL("./vitest-process.ts", import.meta.url));

export function createVitestRunner(): VitestRunner {
  let running: Running | undefined;

  async function end(): Promise<void> {
    const child = running?.child;
    running = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    // Its group, which also has what a test started.
    process.kill(-child.pid, "SIGKILL");
    await closed;
  }

  async function start({ learner, env }: RunnerOptions): Promise<Running> {
    const packages = installed(learner);
    if (running?.packages === packages && running.child.connected) return running;
    await end();
    const node = join(learner, "node_modules/.bin/node");
    const child = fork(program, {
      cwd: learner,
      // As vitest's command starts: on the project's own Node if it has one, and with these variables.
      execPath: existsSync(node) ? node : process.execPath,
      env: { NODE_ENV: "test", ...env, TEST: "true", VITEST: "true" },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
      // Its threads load their modules with fewer garbage collections.
      execArgv: ["--min-semi-space-size=16"],
    });
    const started: Running = { child, packages, printed: "" };
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        started.printed += text;
      });
    running = started;
    return started;
  }

  return {
    async run(path, options) {
      options.signal?.throwIfAborted();
      const started = await start(options);
      started.printed = "";
      const late = AbortSignal.timeout(options.timeout);
      const stop = AbortSignal.any([late, ...(options.signal ? [options.signal] : [])]);
      try {
        const { tests, problem, output } = await ask(started, { path, pattern: options.pattern }, stop);
        return {
          tests: tests.map((test) => toResult(test, path, options.learner)),
          output: stripAnsi(started.printed + output),
          ...(problem !== undefined && { problem: stripAnsi(problem) }),
        };
      } catch (error) {
        await end();
        options.signal?.throwIfAborted();
        if (!late.aborted) throw error;
        const problem = `it did not end within ${options.timeout / 1000} s`;
        return { tests: [], problem, output: stripAnsi(started.printed) };
      }
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Sends a request, and resolves with its reply. Rejects on abort, or if the process ends. */
async function ask(running: Running, request: VitestRequest, signal: AbortSignal): Promise<VitestReply> {
  const { child } = running;
  const settled = new AbortController();
  const events = { signal: AbortSignal.any([signal, settled.signal]) };
  const ended = once(child, "close", events).then(() => {
    throw new Error(`vitest ended: ${stripAnsi(running.printed).trim()}`);
  });
  try {
    child.send(request);
    return await Promise.race([
      once(child, "message", events).then(([reply]) => reply as VitestReply),
      ended,
    ]);
  } finally {
    settled.abort();
    ended.catch(() => {});
  }
}

function toResult(
  { path: titles, status, stack, diff }: VitestReply["tests"][number],
  path: string,
  project: string,
): FileResults["tests"][number] {
  const message = [withoutStack(stack), stripAnsi(diff).trim()].filter(Boolean).join("\n");
  return { path: titles, status, message, ...placesInStack(stripAnsi(stack), project, path) };
}

function withoutStack(message: string): string {
  const lines = stripAnsi(message).split("\n");
  const stack = lines.findIndex((line) => /^\s+at /.test(line));
  return (stack === -1 ? lines : lines.slice(0, stack)).join("\n").trimEnd();
}

/** Returns what changes with each install: the time of pnpm's or npm's note about it. */
function installed(project: string): string {
  const notes = [".modules.yaml", ".package-lock.json"].map((name) => join(project, "node_modules", name));
  return [project, ...notes.map((note) => statSync(note, { throwIfNoEntry: false })?.mtimeMs)].join(" ");
}
