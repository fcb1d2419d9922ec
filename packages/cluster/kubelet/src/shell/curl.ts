import type { ProcessContext } from "../runtime/contracts.ts";
import { parseUrl, reasonPhrase, send } from "./http-client.ts";
import { failed, ok, type Tool } from "./tool.ts";

interface Options {
  /** Letters of the flags that were given. */
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

/** `curl` with the options that people use inside a Pod. Certificates are never checked: nothing here has one that could be. */
export async function curl(
  context: ProcessContext,
  args: readonly string[],
): Promise<Awaited<ReturnType<Tool>>> {
  const o = parse(args);
  const url = o.url === undefined ? undefined : parseUrl(o.url);
  if (url === undefined) return failed("curl: try 'curl --help' for more information\n", 2);
  const says = (text: string, code: number) =>
    failed(o.flags.has("s") && !o.flags.has("S") ? "" : `curl: (${code}) ${text}\n`, code);
  if (context.network.resolve(url.host) === undefined) return says(`Could not resolve host: ${url.host}`, 6);
  const body = o.data.join("&");
  const answer = await send(context, url, {
    agent: "curl/8.14.1",
    method: o.method ?? (o.flags.has("I") ? "HEAD" : o.data.length > 0 ? "POST" : "GET"),
    headers: {
      ...(o.data.length > 0
        ? {
            "content-type": "application/x-www-form-urlencoded",
            "content-length": String(Buffer.byteLength(body)),
          }
        : {}),
      ...o.headers,
    },
    body,
  });
  if (answer === undefined)
    return says(
      `Failed to connect to ${url.host} port ${url.port} after 0 ms: Couldn't connect to server`,
      7,
    );
  if (answer.status >= 400 && o.flags.has("f"))
    return says(`The requested URL returned error: ${answer.status}`, 22);
  const lines = Object.entries(answer.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${reasonPhrase(answer.status)}\r\n${lines.join("")}\r\n`;
  const shown = `${o.flags.has("i") || o.flags.has("I") ? head : ""}${o.flags.has("I") ? "" : answer.body}`;
  const after = (o.writeOut ?? "").replaceAll("%{http_code}", String(answer.status)).replaceAll("\\n", "\n");
  if (o.output === undefined) return ok(shown + after);
  if (o.output !== "/dev/null") {
    const files = await context.container.filesystem();
    await files.writeFile(files.resolvePath(context.process.cwd, o.output), shown);
  }
  return ok(after);
}

function parse(args: readonly string[]): Options {
  const o: Options = { flags: new Set(), headers: {}, data: [] };
  const take = (letter: string, value: string) => {
    if (letter === "X") o.method = value;
    if (letter === "d") o.data.push(value);
    if (letter === "o") o.output = value;
    if (letter === "w") o.writeOut = value;
    const [, name, content] = letter === "H" ? (/^([^:]+):\s*(.*)$/.exec(value) ?? []) : [];
    if (name !== undefined) o.headers[name.toLowerCase()] = content ?? "";
  };
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (!word.startsWith("-") || word === "-") {
      o.url ??= word;
      continue;
    }
    const letters = word.startsWith("--") ? (longFlags[word.slice(2)] ?? "") : word.slice(1);
    for (const [at, letter] of [...letters].entries()) {
      if (!withValue.has(letter)) {
        o.flags.add(letter);
        continue;
      }
      // `-XPOST` and `-X POST` are the same.
      const attached = word.startsWith("--") ? "" : letters.slice(at + 1);
      take(letter, attached === "" ? (args[++i] ?? "") : attached);
      break;
    }
  }
  return o;
}
