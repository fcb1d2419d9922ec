import type { Program, SimulatedImage } from "../../runtime/contracts.ts";
import { untilSignalled } from "../../runtime/spawn.ts";
import { DEBIAN_TOOLS, debianFiles } from "../debian.ts";
import { serveConnection } from "./connection.ts";
import { createMemcachedServer, type MemcachedSettings } from "./server.ts";

const MEBIBYTE = 1024 * 1024;

const serve: Program = async (context) => {
  const version = /^\d+(\.\d+)+/.exec(context.container.config.tag)?.[0] ?? "1.6.39";
  const settings = parseArguments(context.argv.slice(1), version);
  if (typeof settings === "string") {
    context.stderr(settings);
    return 64;
  }
  const memcached = createMemcachedServer(settings, context.clock);
  let server: { close(): void };
  try {
    server = context.network.listen(settings.port, {
      accept: (connection) => void serveConnection(memcached, connection),
    });
  } catch {
    context.stderr(`failed to listen on TCP port ${settings.port}: Address already in use\n`);
    return 71;
  }
  const signal = await untilSignalled(context, ["SIGTERM", "SIGINT"]);
  context.stderr(`Signal handled: ${signal === "SIGTERM" ? "Terminated" : "Interrupt"}.\n`);
  server.close();
  return 0;
};

const valued: Readonly<Record<string, string>> = {
  port: "p",
  "memory-limit": "m",
};

/**
 * Parses the options that change what a client sees, and ignores the others. Returns an error message for
 * invalid ones.
 */
function parseArguments(args: readonly string[], version: string): MemcachedSettings | string {
  const given = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    const [, long, attached] = /^--([\w-]+)(?:=(.*))?$/.exec(word) ?? [];
    const letter = long === undefined ? word[1] : valued[long];
    if (letter === undefined || !Object.values(valued).includes(letter)) continue;
    const value = long === undefined ? word.slice(2) : (attached ?? "");
    given.set(letter, value === "" ? (args[++i] ?? "") : value);
  }
  const number = (letter: string, otherwise: number) => {
    const text = given.get(letter);
    return text === undefined ? otherwise : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  const settings = { port: number("p", 11_211), memory: number("m", 64) * MEBIBYTE, version };
  const wrong = Object.entries(settings).find(([, value]) => Number.isNaN(value));
  return wrong ? `memcached: the value of ${wrong[0]} is not a number\n` : settings;
}

/** memcached of any tag: speaks the text protocol, and keeps its items while the process runs. */
export const memcached: SimulatedImage = {
  repository: "docker.io/library/memcached",
  tags: "any",
  config: { entrypoint: ["docker-entrypoint.sh"], cmd: ["memcached"], user: "memcache", env: {} },
  files: () => ({
    ...debianFiles({ user: { name: "memcache", uid: 11211, gid: 11211 } }),
    "/usr/local/bin/memcached": { content: "simulated executable\n", mode: 0o755 },
    "/usr/local/bin/docker-entrypoint.sh": { content: "simulated executable\n", mode: 0o755 },
  }),
  programs: {
    "/usr/local/bin/memcached": serve,
    // The entrypoint runs `memcached` with arguments that begin with a dash.
    "/usr/local/bin/docker-entrypoint.sh": (context) => {
      const [, first = "memcached", ...rest] = context.argv;
      const argv = first.startsWith("-") ? ["memcached", first, ...rest] : [first, ...rest];
      context.process.argv = argv;
      return serve({ ...context, argv });
    },
  },
  shell: { flavour: "bash", paths: ["/bin/sh", "/bin/bash"], tools: DEBIAN_TOOLS, toolDirectory: "/usr/bin" },
};
