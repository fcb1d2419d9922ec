import { STATUS_CODES } from "node:http";
import type { SimulatedResponse } from "../network/simulated-http.ts";
import type { ProcessContext } from "../runtime/contracts.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** Clients of the simulated network: wget, curl, nc, nslookup. They open no real connections. */
export function httpTools(context: ProcessContext): Record<string, Tool> {
  const { network } = context;
  return {
    wget: async (args) => {
      const address = args.find((word) => !word.startsWith("-") && !/^(-|\d+)$/.test(word));
      const url = address === undefined ? undefined : parseUrl(address);
      if (!url) return failed("wget: missing URL\n");
      const quiet = args.some((word) => /^-\w*q/.test(word));
      const toStdout =
        args.some((word) => /^-\w*O-$/.test(word)) ||
        args.some((word, i) => /^-\w*O$/.test(word) && args[i + 1] === "-") ||
        args.includes("--spider");
      const shown = `${url.host}${url.port === 80 ? "" : `:${url.port}`}`;
      const [ip] = network.resolve(url.host) ?? [];
      if (ip === undefined) return failed(`wget: bad address '${shown}'\n`);
      const note = quiet ? "" : `Connecting to ${url.host}:${url.port} (${ip}:${url.port})\n`;
      const answer = await send(context, url, { agent: "Wget" });
      if (!answer) return failed(`${note}wget: can't connect to remote host: Connection refused\n`);
      if (answer.status >= 400)
        return failed(
          `${note}wget: server returned error: HTTP/1.1 ${answer.status} ${reasonPhrase(answer.status)}\n`,
        );
      if (args.includes("--spider")) return { ...ok(""), stderr: `${note}remote file exists\n` };
      if (toStdout)
        return { ...ok(answer.body), stderr: quiet ? "" : `${note}writing to stdout\nwritten to stdout\n` };
      const name = url.path.slice(url.path.lastIndexOf("/") + 1).split("?")[0] || "index.html";
      const files = await context.container.filesystem();
      await files.writeFile(files.resolvePath(context.process.cwd, name), answer.body);
      return { ...ok(""), stderr: quiet ? "" : `${note}saving to '${name}'\n'${name}' saved\n` };
    },
    curl: (args) => curl(context, args),
    nc: (args) => netcat(context, args),
    nslookup: ([name = ""]) => {
      const addresses = network.resolve(name);
      const server = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n";
      if (addresses !== undefined)
        return ok(`${server}${addresses.map((ip) => `Name:\t${name}\nAddress: ${ip}\n`).join("")}\n`);
      return { stdout: `${server}** server can't find ${name}: NXDOMAIN\n\n`, stderr: "", exitCode: 1 };
    },
  };
}

/** `nc -z [-v] [-w SEC] HOST PORT`, BusyBox's check of a port. Sending data through nc is not simulated. */
async function netcat(
  { network }: ProcessContext,
  args: readonly string[],
): Promise<Awaited<ReturnType<Tool>>> {
  const flags = args.filter((word) => word.startsWith("-")).join("");
  const isWord = (word: string, at: number) => !word.startsWith("-") && !/^-\w*w$/.test(args[at - 1] ?? "");
  const [host, port] = args.filter(isWord);
  if (host === undefined || !/^\d+$/.test(port ?? "") || !/^[-zvw]*z[-zvw]*$/.test(flags))
    return failed("nc: only nc -z [-v] [-w SEC] HOST PORT is simulated\n");
  const [ip] = network.resolve(host) ?? [];
  if (ip === undefined) return failed(`nc: bad address '${host}'\n`);
  const connection = await network.dial(host, Number(port)).catch(() => undefined);
  if (connection === undefined)
    return failed(`nc: can't connect to remote host (${ip}): Connection refused\n`);
  connection.destroy();
  return { ...ok(""), stderr: flags.includes("v") ? `${host} (${host}:${port}) open\n` : "" };
}

interface Options {
  /** The letters of the given flags. */
  flags: Set<string>;
  url?: string;
  method?: string;
  headers: Record<string, string>;
  data: string[];
  output?: string;
  writeOut?: string;
}

const longFlags: Record<string, string> = {
  silent: "s",
  "show-error": "S",
  fail: "f",
  head: "I",
  include: "i",
  insecure: "k",
  location: "L",
  request: "X",
  header: "H",
  data: "d",
  output: "o",
  "write-out": "w",
  "max-time": "m",
};
const withValue = new Set(["X", "H", "d", "o", "w", "m"]);

/**
 * curl with the options that are common in a Pod. It does not verify certificates, because no server here has
 * one that it could verify.
 */
async function curl(context: ProcessContext, args: readonly string[]): Promise<Awaited<ReturnType<Tool>>> {
  const options = parse(args);
  const url = options.url === undefined ? undefined : parseUrl(options.url);
  if (url === undefined) return failed("curl: try 'curl --help' for more information\n", 2);
  const fail = (text: string, code: number) =>
    failed(options.flags.has("s") && !options.flags.has("S") ? "" : `curl: (${code}) ${text}\n`, code);
  if (context.network.resolve(url.host) === undefined) return fail(`Could not resolve host: ${url.host}`, 6);
  const body = options.data.join("&");
  const answer = await send(context, url, {
    agent: "curl/8.14.1",
    method: options.method ?? (options.flags.has("I") ? "HEAD" : options.data.length > 0 ? "POST" : "GET"),
    headers: {
      ...(options.data.length > 0
        ? {
            "content-type": "application/x-www-form-urlencoded",
            "content-length": String(Buffer.byteLength(body)),
          }
        : {}),
      ...options.headers,
    },
    body,
  });
  if (answer === undefined)
    return fail(
      `Failed to connect to ${url.host} port ${url.port} after 0 ms: Couldn't connect to server`,
      7,
    );
  if (answer.status >= 400 && options.flags.has("f"))
    return fail(`The requested URL returned error: ${answer.status}`, 22);
  const lines = Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${reasonPhrase(answer.status)}\r\n${lines.join("")}\r\n`;
  const shown = `${options.flags.has("i") || options.flags.has("I") ? head : ""}${options.flags.has("I") ? "" : answer.body}`;
  const after = (options.writeOut ?? "")
    .replaceAll("%{http_code}", String(answer.status))
    .replaceAll("\\n", "\n");
  if (options.output === undefined) return ok(shown + after);
  if (options.output !== "/dev/null") {
    const files = await context.container.filesystem();
    await files.writeFile(files.resolvePath(context.process.cwd, options.output), shown);
  }
  return ok(after);
}

function parse(args: readonly string[]): Options {
  const options: Options = { flags: new Set(), headers: {}, data: [] };
  const setOption = (letter: string, value: string) => {
    if (letter === "X") options.method = value;
    if (letter === "d") options.data.push(value);
    if (letter === "o") options.output = value;
    if (letter === "w") options.writeOut = value;
    const [, name, content] = letter === "H" ? (/^([^:]+):\s*(.*)$/.exec(value) ?? []) : [];
    if (name !== undefined) options.headers[name.toLowerCase()] = content ?? "";
  };
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (!word.startsWith("-") || word === "-") {
      options.url ??= word;
      continue;
    }
    const letters = word.startsWith("--") ? (longFlags[word.slice(2)] ?? "") : word.slice(1);
    for (const [at, letter] of [...letters].entries()) {
      if (!withValue.has(letter)) {
        options.flags.add(letter);
        continue;
      }
      // `-XPOST` and `-X POST` are the same.
      const attached = word.startsWith("--") ? "" : letters.slice(at + 1);
      setOption(letter, attached === "" ? (args[++i] ?? "") : attached);
      break;
    }
  }
  return options;
}

/** The target of a tool. */
interface Url {
  host: string;
  port: number;
  /** Includes the query. */
  path: string;
  tls: boolean;
}

/** Parses a URL whose scheme may be missing. Returns undefined for an invalid one. */
function parseUrl(text: string): Url | undefined {
  try {
    const url = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
    const tls = url.protocol === "https:";
    return {
      host: url.hostname,
      port: Number(url.port) || (tls ? 443 : 80),
      path: url.pathname + url.search,
      tls,
    };
  } catch {
    return undefined;
  }
}

function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "";
}

/** Sends one request through the Pod's network. Returns undefined if the connection fails. */
async function send(
  { network, signal }: ProcessContext,
  url: Url,
  options: { agent: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<SimulatedResponse | undefined> {
  const { agent, method = "GET", headers = {}, body = "" } = options;
  try {
    return await network.request(url.host, url.port, {
      method,
      path: url.path,
      headers: { "user-agent": agent, accept: "*/*", ...headers },
      body,
      tls: url.tls,
      signal,
    });
  } catch {
    return undefined;
  }
}
