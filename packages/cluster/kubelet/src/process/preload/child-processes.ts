import childProcess, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Channel } from "./channel.ts";
import { type ChildStdio, childStdio, inputOf, outputOf, placesOf } from "./child-stdio.ts";
import type { ToolNotice, ToolRequest } from "./protocol.ts";
import { replaceSync } from "./sync-children.ts";
import { openToolPipe, refusalOf } from "./tool-pipe.ts";

/**
 * The argument of ChildProcess.prototype.spawn, which every asynchronous function of node:child_process
 * calls.
 */
interface SpawnOptions {
  file: string;
  args?: string[];
  cwd?: string | URL | undefined;
  /** `NAME=value` */
  envPairs?: string[];
  stdio?: unknown;
}

/** A child process with Node's private members. */
type Child = Omit<
  ChildProcess,
  "pid" | "stdio" | "stdin" | "stdout" | "stderr" | "exitCode" | "signalCode" | "killed"
> & {
  spawnfile: string;
  spawnargs: string[];
  pid: number | undefined;
  stdin: Writable | null;
  stdout: Readable | null;
  stderr: Readable | null;
  stdio: unknown[];
  exitCode: number | null;
  signalCode: string | null;
  killed: boolean;
  _handle: { close?(): void } | null;
};

type Notice = Omit<ToolNotice, "id" | "pid">;

/**
 * Makes node:child_process start the tools of the image through the kubelet. The kubelet knows the tools, and
 * Node's permission model lets this process start nothing. Must be called before node:fs is changed.
 *
 * @returns a function that signals a started tool
 */
export function askForTools(
  channel: Channel,
  options: { readonly others: boolean },
): { kill(pid: number, signal: NodeJS.Signals | number): boolean } {
  const ask = openToolPipe(4);
  const stdio = childStdio();
  const children = new Map<number, (notice: Notice) => void>();
  channel.onNotice((notice) => children.get((notice as unknown as ToolNotice).pid)?.(notice as Notice));
  const kill = (pid: number, signal: NodeJS.Signals | number) => ask({ ask: "kill", pid, signal }).ok;
  const prototype = childProcess.ChildProcess.prototype as unknown as {
    spawn(this: Child, given: SpawnOptions): unknown;
  };
  const { spawn } = prototype;
  prototype.spawn = function (given) {
    const places = placesOf(given.stdio);
    const answer = ask({ ask: "start", tool: requestOf(given), stdin: places[0] !== "ignore" });
    if (!answer.ok && options.others) return spawn.call(this, given);
    this._handle?.close?.();
    this._handle = null;
    this.spawnfile = given.file;
    this.spawnargs = given.args ?? [];
    const isPiped = (i: 0 | 1 | 2) => places[i] === "pipe";
    const { pid } = answer.ok ? answer : { pid: undefined };
    const stdin = inputOf((data) =>
      pid === undefined ? Promise.resolve() : channel.ask({ ask: "input", pid, data }),
    );
    stdin.on("error", () => {});
    this.stdin = isPiped(0) ? stdin : null;
    this.stdout = isPiped(1) ? outputOf() : null;
    this.stderr = isPiped(2) ? outputOf() : null;
    this.stdio = [this.stdin, this.stdout, this.stderr];
    if (!answer.ok || pid === undefined) return refuse(this, answer.ok ? "EACCES" : answer.code);
    this.pid = pid;
    this.kill = (signal = "SIGTERM") => {
      if (this.exitCode !== null || this.signalCode !== null || !kill(pid, signal)) return false;
      this.killed = true;
      return true;
    };
    const release = channel.keepAlive();
    this.unref = release;
    this.ref = () => {};
    const [place] = places;
    if (typeof place === "object") stdio.input(place).pipe(stdin);
    const ended = untilClosed(this);
    // The exit and the ends of both outputs, in any order.
    let left = 3;
    children.set(pid, ({ output, exit }) => {
      if (output) passOn(this, output, places, stdio);
      if (exit) ended(exit);
      if (exit || output?.data === "") left--;
      if (left > 0) return;
      children.delete(pid);
      release();
    });
    process.nextTick(() => this.emit("spawn"));
    return 0;
  };
  replaceSync(ask, stdio, options.others);
  syncBuiltinESMExports();
  return { kill };
}

function requestOf({ file, args = [], cwd, envPairs = [] }: SpawnOptions): ToolRequest {
  const env = Object.fromEntries(
    envPairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  const folder = cwd instanceof URL ? fileURLToPath(cwd) : (cwd ?? process.cwd());
  return { file, args: args.slice(1), cwd: folder, env };
}

function passOn(
  child: Child,
  { stream, data }: NonNullable<Notice["output"]>,
  places: ReturnType<typeof placesOf>,
  stdio: ChildStdio,
): void {
  const readable = stream === 1 ? child.stdout : child.stderr;
  const place = places[stream];
  if (readable) readable.push(data === "" ? null : Buffer.from(data, "base64"));
  else if (data !== "" && typeof place === "object") stdio.output(place, Buffer.from(data, "base64"));
}

/** Returns a function for the exit. "close" is emitted after it, when all output was read. */
function untilClosed(child: Child): (exit: NonNullable<Notice["exit"]>) => void {
  const outputs = [child.stdout, child.stderr].filter((stream) => stream !== null);
  let left = outputs.length + 1;
  const one = () => {
    left--;
    if (left === 0) child.emit("close", child.exitCode, child.signalCode);
  };
  for (const stream of outputs) stream.once("close", one);
  return ({ code, signal }) => {
    child.exitCode = code;
    child.signalCode = signal;
    child.stdin?.destroy();
    child.emit("exit", code, signal);
    // As in Node, output without a reader is drained, so that "close" is emitted.
    process.nextTick(() => {
      for (const stream of outputs) if (stream.readable) stream.resume();
    });
    one();
  };
}

/** Emits an "error" on the next tick, as Node does for a file that the kernel does not execute. */
function refuse(child: Child, code: string): number {
  const error = refusalOf("spawn", child.spawnfile, child.spawnargs.slice(1), code);
  child.kill = () => false;
  for (const stream of [child.stdout, child.stderr]) stream?.push(null);
  const ended = untilClosed(child);
  process.nextTick(() => {
    child.exitCode = error.errno;
    child.emit("error", error);
    child.emit = (
      (emit) =>
      (name: string, ...args: unknown[]) =>
        name !== "exit" && emit(name, ...args)
    )(child.emit.bind(child) as (name: string, ...args: unknown[]) => boolean) as Child["emit"];
    ended({ code: error.errno, signal: null });
  });
  return error.errno;
}
