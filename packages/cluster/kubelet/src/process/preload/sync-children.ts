import childProcess, { type ExecFileSyncOptions, type SpawnSyncOptions } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ChildStdio, placesOf } from "./child-stdio.ts";
import { type AskTools, refusalOf } from "./tool-pipe.ts";

type Options = SpawnSyncOptions & ExecFileSyncOptions;
type Output = string | Buffer | null;

interface Result {
  pid: number;
  output: Output[] | null;
  stdout: Output;
  stderr: Output;
  status: number | null;
  signal: string | null;
  error?: Error;
}

/** Replaces the synchronous functions of node:child_process for the tools of the image. */
export function replaceSync(ask: AskTools, stdio: ChildStdio, others: boolean): void {
  const own = childProcess as unknown as Record<string, unknown>;
  const { spawnSync, execFileSync, execSync } = childProcess;

  /** Runs a tool through the kubelet. Returns undefined if Node must start the program itself. */
  function run(file: string, args: readonly string[], options: Options): Result | undefined {
    const places = placesOf(options.stdio);
    const fd = typeof places[0] === "object" && "fd" in places[0] ? places[0].fd : undefined;
    const input = options.input ?? (fd === undefined ? undefined : stdio.content(fd)) ?? "";
    const [program, rest] = options.shell
      ? [options.shell === true ? "/bin/sh" : options.shell, ["-c", [file, ...args].join(" ")]]
      : [file, args];
    const env = Object.fromEntries(
      Object.entries(options.env ?? process.env).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
    );
    const { cwd } = options;
    const answer = ask({
      ask: "run",
      tool: {
        file: program,
        args: rest,
        cwd: cwd instanceof URL ? fileURLToPath(cwd) : (cwd ?? process.cwd()),
        env,
      },
      input: Buffer.from(input as string).toString("base64"),
      timeout: options.timeout ?? 0,
      killSignal: String(options.killSignal ?? "SIGTERM"),
      maxBuffer: options.maxBuffer ?? 1024 * 1024,
    });
    if (!answer.ok || answer.result === undefined) {
      if (others) return undefined;
      const error = refusalOf("spawnSync", program, rest, answer.ok ? "EACCES" : answer.code);
      return { pid: 0, output: null, stdout: null, stderr: null, status: null, signal: null, error };
    }
    const { status, signal, code } = answer.result;
    const outputs = [answer.result.stdout, answer.result.stderr].map((data, i): Output => {
      const bytes = Buffer.from(data, "base64");
      const place = places[i + 1] ?? "pipe";
      if (typeof place === "object") stdio.output(place, bytes);
      if (place !== "pipe") return null;
      return options.encoding && options.encoding !== "buffer" ? bytes.toString(options.encoding) : bytes;
    });
    const [stdout = null, stderr = null] = outputs;
    const error = code === undefined ? {} : { error: refusalOf("spawnSync", program, rest, code) };
    return { pid: answer.pid ?? 0, output: [null, stdout, stderr], stdout, stderr, status, signal, ...error };
  }

  /** Returns the output, or throws, as execFileSync and execSync do. */
  function outcome(result: Result, command: string, options: Options): Output {
    if (!options.stdio && result.stderr) process.stderr.write(result.stderr);
    if (result.error) throw Object.assign(result.error, { ...result, error: undefined });
    if (result.status !== 0) {
      const stderr = result.stderr?.toString();
      throw Object.assign(new Error(`Command failed: ${command}${stderr ? `\n${stderr}` : ""}`), result);
    }
    return result.stdout;
  }

  own.spawnSync = (file: string, ...rest: unknown[]) => {
    const { args, options } = normalise(rest);
    return run(file, args, options) ?? spawnSync(file, args, options);
  };
  own.execFileSync = (file: string, ...rest: unknown[]) => {
    const { args, options } = normalise(rest);
    const result = run(file, args, options);
    return result ? outcome(result, [file, ...args].join(" "), options) : execFileSync(file, args, options);
  };
  own.execSync = (command: string, options: Options = {}) => {
    const result = run(command, [], { ...options, shell: options.shell || true });
    return result ? outcome(result, command, options) : execSync(command, options as object);
  };
}

/** Reads the arguments that all these functions take: `(args, options)`, `(options)` or `()`. */
function normalise(rest: readonly unknown[]): { args: string[]; options: Options } {
  const [first, second] = rest;
  const hasArgs = Array.isArray(first);
  return {
    args: hasArgs ? first.map(String) : [],
    options: ((hasArgs || first === undefined || first === null ? second : first) ?? {}) as Options,
  };
}
