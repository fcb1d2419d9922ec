import childProcess, { type ChildProcess } from "node:child_process";
import module, { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { containerNames } from "./container-names.ts";
import { hostFiles } from "./host-files.ts";
import type { Paths } from "./paths.ts";
import type { PreloadSettings, ToolSettings } from "./settings.ts";
import { type Asked, type ToolCommand, toolCommand } from "./tool-command.ts";

type Function = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, Function>;

/** What ChildProcess.prototype.spawn is given by every function of node:child_process that does not wait. */
interface SpawnOptions {
  file: string;
  args?: string[];
  cwd?: string | URL;
  /** `NAME=value` */
  envPairs?: string[];
  detached?: boolean;
}

/** A child with what Node keeps to itself. */
type Child = ChildProcess & {
  spawnfile: string;
  _handle: { onexit: (...args: unknown[]) => unknown } | null;
};

type SyncOptions = childProcess.SpawnSyncOptions & childProcess.ExecFileSyncOptions;

/**
 * What the process may start are the tools of its image, and nothing else: Node's own permission, which this needs, knows
 * no programs. It has to be called before paths are mapped.
 *
 * @param children numbers of the processes that run, for `process.kill`
 */
export function narrowChildProcesses(
  o: PreloadSettings & { readonly tools: ToolSettings },
  paths: Paths,
  children: Set<number>,
): void {
  const files = hostFiles();
  const plan = (asked: Asked) => toolCommand(asked, { tools: o.tools, paths, root: o.root, files });
  const cwdOf = (cwd: string | URL | undefined) =>
    paths.toContainer(paths.toHost(cwd instanceof URL ? cwd.pathname : (cwd ?? process.cwd())));
  const asked = (
    file: string,
    args: readonly string[],
    cwd: string | URL | undefined,
    env: object,
  ): Asked => ({
    file: paths.toContainer(file),
    args,
    cwd: cwdOf(cwd),
    env: env as Record<string, string>,
  });

  const prototype = childProcess.ChildProcess.prototype as unknown as {
    spawn(this: Child, given: SpawnOptions): unknown;
  };
  const original = prototype.spawn;
  // Node is to come to its own error, with all that belongs to it: it is given a file with which the kernel has the same to say.
  const refused = { ENOENT: join(o.tools.folder, "absent"), EACCES: join(o.tools.folder, "refused") };
  prototype.spawn = function (this: Child, given: SpawnOptions) {
    const { file, args: [name = file, ...args] = [], cwd } = given;
    const command = plan(asked(file, args, cwd, Object.fromEntries((given.envPairs ?? []).map(pair))));
    if (typeof command === "string") {
      if (o.tools.others) return original.call(this, given);
      const error = original.call(this, { ...given, file: refused[command] });
      this.spawnfile = file;
      return error;
    }
    const own = { ...command, args: [name, ...command.args], envPairs: pairs(command.env) };
    // In this process's group, it ends when the container ends, whatever ends it.
    const error = original.call(this, { ...given, ...own, detached: false });
    this.spawnfile = file;
    const { pid, _handle: handle } = this;
    if (pid === undefined || handle === null) return error;
    children.add(pid);
    const { onexit } = handle;
    handle.onexit = function (...rest) {
      children.delete(pid);
      return onexit.apply(this, rest);
    };
    for (const stream of [this.stdout, this.stderr]) if (stream) rename(stream, o);
    return error;
  };
  if (!o.tools.others)
    closeHandle(new Set([...Object.values(o.tools.executables), ...Object.values(refused)]));
  wrapSync(o, (file, args, options) => {
    const env = (options.env ?? process.env) as object;
    const command = options.shell ? "EACCES" : plan(asked(file, args, options.cwd, env));
    return command;
  });
  if (!o.tools.others) {
    const { execve } = process as { execve?: unknown };
    if (execve) Object.defineProperty(process, "execve", { value: () => refuse("execve", "", [], "EACCES") });
    // Its hooks run in a thread that knows nothing of this.
    module.register = () => {
      throw new Error("module.register() is not there in an image with tools: use module.registerHooks()");
    };
  }
  syncBuiltinESMExports();
}

/** Under each of the functions above is one of Node's own, which starts what it is told: it starts tools only. */
function closeHandle(permitted: ReadonlySet<unknown>): void {
  const probe = new childProcess.ChildProcess() as Child;
  const prototype = Object.getPrototypeOf(probe._handle) as { spawn: Function };
  const { spawn } = prototype;
  const value = function (this: unknown, ...args: unknown[]) {
    // The file itself, or an object that has it: that differs between versions of Node.
    const [first] = args;
    const file = typeof first === "string" ? first : (first as { file?: unknown } | undefined)?.file;
    return permitted.has(file) ? spawn.apply(this, args) : -os.constants.errno.EACCES;
  };
  Object.defineProperty(prototype, "spawn", { value, configurable: false, writable: false });
}

type Plan = (
  file: string,
  args: readonly string[],
  options: SyncOptions,
) => ToolCommand | "ENOENT" | "EACCES";

function wrapSync(o: PreloadSettings & { readonly tools: ToolSettings }, plan: Plan): void {
  const owner = childProcess as unknown as Functions;
  const { spawnSync, execFileSync, execSync } = childProcess;
  const back = <T>(value: T): T => {
    if (typeof value === "string") return back(Buffer.from(value)).toString() as T;
    if (!Buffer.isBuffer(value)) return value;
    const names = containerNames(o);
    return Buffer.concat([names(value), names.end()]) as T;
  };
  owner.spawnSync = ((file: string, ...rest: unknown[]) => {
    const { args, options } = normalise(rest);
    const command = plan(file, args, options);
    if (command === "ENOENT" || command === "EACCES") {
      if (o.tools.others) return spawnSync(file, args, options);
      const error = refusalOf("spawnSync", file, args, command);
      return { error, status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
    }
    const result = spawnSync(command.file, command.args, hostOptions(file, command, options));
    const output = result.output?.map(back) ?? null;
    return { ...result, output, stdout: output?.[1] ?? null, stderr: output?.[2] ?? null };
  }) as Function;
  owner.execFileSync = ((file: string, ...rest: unknown[]) => {
    const { args, options } = normalise(rest);
    const command = plan(file, args, options);
    if (command === "ENOENT" || command === "EACCES") {
      if (o.tools.others) return execFileSync(file, args, options);
      return refuse("spawnSync", file, args, command);
    }
    try {
      return back(execFileSync(command.file, command.args, hostOptions(file, command, options)));
    } catch (error) {
      throw Object.assign(error as Error, {
        message: back((error as Error).message),
        ...Object.fromEntries(
          ["stdout", "stderr"].map((key) => [key, back((error as Record<string, unknown>)[key])]),
        ),
      });
    }
  }) as Function;
  owner.execSync = ((command: string, options?: childProcess.ExecSyncOptions) => {
    if (o.tools.others) return execSync(command, options);
    return refuse("spawnSync", "/bin/sh", ["-c", command], "EACCES");
  }) as Function;
}

/** `(args, options)`, `(options)`, `()`: as all of these functions take them. */
function normalise(rest: readonly unknown[]): { args: string[]; options: SyncOptions } {
  const [first, second] = rest;
  const hasArgs = Array.isArray(first);
  return {
    args: hasArgs ? first.map(String) : [],
    options: ((hasArgs || first === undefined || first === null ? second : first) ?? {}) as SyncOptions,
  };
}

function hostOptions(file: string, { cwd, env }: ToolCommand, options: SyncOptions): SyncOptions {
  return { ...options, cwd, env: { ...env }, argv0: options.argv0 ?? file, shell: false };
}

function refuse(syscall: string, file: string, args: readonly string[], code: "ENOENT" | "EACCES"): never {
  throw refusalOf(syscall, file, args, code);
}

/** As Node makes it of a file that the kernel does not start. */
function refusalOf(syscall: string, file: string, args: readonly string[], code: "ENOENT" | "EACCES"): Error {
  const of = file === "" ? syscall : `${syscall} ${file}`;
  const errno = -os.constants.errno[code];
  return Object.assign(new Error(`${of} ${code}`), { errno, code, syscall: of, path: file, spawnargs: args });
}

/** Passes on what a child says with the container's paths. */
function rename(stream: Readable, o: PreloadSettings): void {
  const push = stream.push.bind(stream);
  const names = containerNames(o);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) {
      const renamed = names(chunk);
      // Nothing is no end: it is asked for more.
      return renamed.length > 0 ? push(renamed, encoding) : true;
    }
    if (chunk === null) {
      const rest = names.end();
      if (rest.length > 0) push(rest);
    }
    return push(chunk, encoding);
  };
}

function pair(text: string): [string, string] {
  const equals = text.indexOf("=");
  return [text.slice(0, equals), text.slice(equals + 1)];
}

const pairs = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);
