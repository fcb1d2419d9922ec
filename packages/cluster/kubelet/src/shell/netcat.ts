import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { ProcessContext } from "../runtime/contracts.ts";
import { createTerminal } from "./terminal.ts";
import { failed, type Tool } from "./tool.ts";

interface Target {
  host: string;
  port: number;
  /** `-z`: only checks whether the port is open. */
  scanOnly: boolean;
  verbose: boolean;
  /** `-w`: how many seconds to wait until the other side closes. */
  wait: number | undefined;
}

/**
 * Parses the options of BusyBox's nc. Listening (-l) is not simulated. Returns an error message for invalid
 * options.
 */
function parse(args: readonly string[]): Target | string {
  const words: string[] = [];
  let flags = "";
  let wait: number | undefined;
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (!word.startsWith("-")) words.push(word);
    else if (/^-\w*w$/.test(word)) {
      flags += word.slice(1, -1);
      wait = Number(args[++i]);
    } else flags += word.slice(1);
  }
  const [host, port] = words;
  if (flags.includes("l")) return "nc: listening is not simulated\n";
  if (host === undefined || port === undefined || !/^\d+$/.test(port))
    return "nc: usage: nc [-zv] [-w SEC] HOST PORT\n";
  return { host, port: Number(port), scanOnly: flags.includes("z"), verbose: flags.includes("v"), wait };
}

/** Returns the connection, or nc's error message. */
async function dial({ network }: ProcessContext, { host, port }: Target): Promise<Duplex | string> {
  const [ip] = network.resolve(host) ?? [];
  if (ip === undefined) return `nc: bad address '${host}'\n`;
  return network
    .dial(host, port)
    .catch(() => `nc: can't connect to remote host (${ip}): Connection refused\n`);
}

const openMessage = ({ host, port, verbose }: Target) => (verbose ? `${host} (${host}:${port}) open\n` : "");

/** nc in a pipe, as `printf … | nc host port`: sends all input, then reads the answer to its end. */
export function netcatTool(context: ProcessContext): Tool {
  return async (args, { stdin }) => {
    const target = parse(args);
    if (typeof target === "string") return failed(target);
    const connection = await dial(context, target);
    if (typeof connection === "string") return failed(connection);
    if (target.scanOnly) {
      connection.destroy();
      return { stdout: "", stderr: openMessage(target), exitCode: 0 };
    }
    let answer = "";
    connection.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
    });
    // Each character of the pipe is one byte.
    connection.end(Buffer.from(stdin, "latin1"));
    await ended(context, connection, target.wait);
    return { stdout: answer, stderr: openMessage(target), exitCode: 0 };
  };
}

/** nc by itself, as `kubectl exec -it pod -- nc host port`: sends each line when it is typed. */
export async function netcat(context: ProcessContext, args: readonly string[]): Promise<number> {
  const target = parse(args);
  const connection = typeof target === "string" ? target : await dial(context, target);
  if (typeof target === "string" || typeof connection === "string") {
    context.stderr(String(connection));
    return 1;
  }
  context.stderr(openMessage(target));
  if (target.scanOnly || context.stdin === undefined) {
    connection.destroy();
    return 0;
  }
  connection.on("data", (chunk: Buffer) => {
    const shown = context.stdout(chunk);
    if (shown === undefined) return;
    connection.pause();
    void shown.then(() => connection.resume());
  });
  void sendInput(context, connection);
  await ended(context, connection, target.wait);
  return 0;
}

async function sendInput(context: ProcessContext, connection: Duplex): Promise<void> {
  const { stdin } = context;
  if (stdin === undefined) return;
  const write = (chunk: string | Uint8Array) => new Promise((resolve) => connection.write(chunk, resolve));
  if (context.tty) {
    const terminal = createTerminal(stdin, (text) => void context.stdout(text));
    for (let line = await terminal.readLine(""); typeof line === "string"; line = await terminal.readLine(""))
      await write(`${line}\n`);
    // The user typed ^C or ^D.
    connection.destroy();
    return;
  }
  for await (const chunk of stdin) await write(chunk);
  connection.end();
}

/** Waits until the other side closes, the process is killed, or the time is up. */
async function ended(
  { clock, signal }: ProcessContext,
  connection: Duplex,
  wait: number | undefined,
): Promise<void> {
  const stop = () => void connection.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const timer = wait === undefined ? undefined : clock.setTimeout(stop, wait * 1000);
  await Promise.race([once(connection, "end"), once(connection, "close")]).catch(() => {});
  if (timer !== undefined) clock.clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  connection.destroy();
}
