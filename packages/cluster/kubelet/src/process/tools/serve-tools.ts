import { constants } from "node:os";
import type { Duplex, Readable, Writable } from "node:stream";
import { type StartedProcess, sendSignal } from "../boundary/start-process.ts";
import { endFirst } from "../limits.ts";
import type { ToolAnswer, ToolNotice, ToolQuestion, ToolRequest } from "../preload/protocol.ts";
import type { Supervisor } from "../supervisor.ts";
import type { ContainerNames } from "./container-names.ts";
import type { ToolCommand } from "./tool-command.ts";

/** Starts tools for one process of a container, which may not start them itself. */
export interface ToolServer {
  /** Writes a chunk in base64 to a tool's standard input. "" ends it. Resolves when the chunk is written. */
  input(pid: number, data: string): Promise<void>;
  /** Kills the tools that still run. */
  close(): void;
}

export interface ToolServerOptions {
  /** The pipe for the process's questions and their answers. */
  readonly questions: Duplex;
  readonly notices: Duplex;
  /** Returns the command to start. Nothing else of the request reaches the host. */
  command(request: ToolRequest): ToolCommand | "ENOENT" | "EACCES";
  start(command: ToolCommand, stdio: readonly ("pipe" | "ignore")[]): StartedProcess;
  /** Returns the path translation for one output stream. */
  names(): ContainerNames;
  readonly supervisor: Pick<Supervisor, "watch">;
}

/** Longer than any command line with its input, in bytes. Only another program would send more. */
const longestQuestion = 64 * 1024 * 1024;

/** How many tools one process may run at a time. Each takes tens of megabytes of this machine. */
const maxRunning = 32;

export function serveTools(options: ToolServerOptions): ToolServer {
  const running = new Map<number, StartedProcess>();

  function startTool(request: ToolRequest, stdin: "pipe" | "ignore"): StartedProcess | string {
    const { file, args, cwd, env } = request;
    const isRequest =
      typeof file === "string" && typeof cwd === "string" && Array.isArray(args) && typeof env === "object";
    if (!isRequest || [file, cwd, ...args, ...Object.values(env)].some((word) => typeof word !== "string"))
      return "EINVAL";
    // The error of fork at the limit of PIDs.
    if (running.size >= maxRunning) return "EAGAIN";
    const command = options.command(request);
    if (typeof command === "string") return command;
    const started = options.start(command, [stdin, "pipe", "pipe"]);
    const { child } = started;
    child.on("error", () => {});
    const { pid } = child;
    if (pid === undefined) return "ENOENT";
    running.set(pid, started);
    const release = options.supervisor.watch(pid);
    endFirst(pid);
    child.stdin?.on("error", () => {});
    child.once("exit", () => {
      running.delete(pid);
      release();
    });
    return started;
  }

  function start({ tool, stdin }: ToolQuestion & { ask: "start" }): ToolAnswer {
    const started = startTool(tool, stdin ? "pipe" : "ignore");
    if (typeof started === "string") return { ok: false, code: started };
    const { child } = started;
    const pid = child.pid as number;
    const notify = (notice: Omit<ToolNotice, "id" | "pid">): boolean =>
      !options.notices.writable || options.notices.write(`${JSON.stringify({ id: 0, pid, ...notice })}\n`);
    const forward = (from: Readable, stream: 1 | 2) => {
      const names = options.names();
      const sendOutput = (data: Buffer) =>
        data.length === 0 || notify({ output: { stream, data: data.toString("base64") } });
      from.on("data", (chunk: Buffer) => {
        if (sendOutput(names(chunk))) return;
        from.pause();
        options.notices.once("drain", () => from.resume());
      });
      from.once("end", () => {
        sendOutput(names.end());
        notify({ output: { stream, data: "" } });
      });
    };
    forward(child.stdout as Readable, 1);
    forward(child.stderr as Readable, 2);
    child.once("exit", (code, signal) => void notify({ exit: started.ending(code, signal) }));
    return { ok: true, pid };
  }

  async function run(question: ToolQuestion & { ask: "run" }): Promise<ToolAnswer> {
    const started = startTool(question.tool, "pipe");
    if (typeof started === "string") return { ok: false, code: started };
    const { child } = started;
    (child.stdin as Writable).end(Buffer.from(question.input, "base64"));
    let code: string | undefined;
    const stop = (why: string) => {
      code ??= why;
      started.signal(question.killSignal as NodeJS.Signals);
    };
    const timer = question.timeout > 0 ? setTimeout(stop, question.timeout, "ETIMEDOUT") : undefined;
    const read = (from: Readable) => {
      const names = options.names();
      const chunks: Buffer[] = [];
      let size = 0;
      from.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > question.maxBuffer) stop("ENOBUFS");
        else chunks.push(names(chunk));
      });
      return () => Buffer.concat([...chunks, names.end()]).toString("base64");
    };
    const [stdout, stderr] = [read(child.stdout as Readable), read(child.stderr as Readable)];
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    child.once("close", (exitCode, by) => {
      clearTimeout(timer);
      const { code: status, signal } = started.ending(exitCode, by);
      const result = {
        status,
        signal,
        stdout: stdout(),
        stderr: stderr(),
        ...(code !== undefined && { code }),
      };
      resolve({ ok: true, pid: child.pid as number, result });
    });
    return promise;
  }

  function kill({ pid, signal }: ToolQuestion & { ask: "kill" }): ToolAnswer {
    // A tool starts no other programs, so its process group is the tool alone.
    const started = running.get(Math.abs(pid));
    if (started === undefined) return { ok: false, code: "ESRCH" };
    if (signal === 0) return { ok: true };
    const known = Object.entries(constants.signals).find(
      ([name, number]) => signal === name || signal === number,
    );
    if (known === undefined) return { ok: false, code: "ERR_UNKNOWN_SIGNAL" };
    started.signal(known[0] as NodeJS.Signals);
    return { ok: true };
  }

  async function answer(line: string): Promise<ToolAnswer> {
    try {
      const question = JSON.parse(line) as ToolQuestion;
      if (question.ask === "start") return start(question);
      if (question.ask === "run") return await run(question);
      return question.ask === "kill" ? kill(question) : { ok: false, code: "EINVAL" };
    } catch {
      return { ok: false, code: "EINVAL" };
    }
  }

  let parts: Buffer[] = [];
  let length = 0;
  options.questions.on("error", () => {});
  options.questions.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    length += chunk.length;
    if (length > longestQuestion) return void options.questions.destroy();
    // One question at a time, because the process waits for the answer.
    if (chunk.at(-1) !== 10) return;
    const line = Buffer.concat(parts).toString();
    [parts, length] = [[], 0];
    void answer(line).then((said) => {
      if (options.questions.writable) options.questions.write(`${JSON.stringify(said)}\n`);
    });
  });

  return {
    async input(pid, data) {
      const stdin = running.get(pid)?.child.stdin;
      if (!stdin?.writable) return;
      if (data === "") return void stdin.end();
      const { promise, resolve } = Promise.withResolvers<void>();
      stdin.write(Buffer.from(data, "base64"), () => resolve());
      await promise;
    },
    close() {
      for (const pid of running.keys()) sendSignal(-pid, "SIGKILL");
    },
  };
}
