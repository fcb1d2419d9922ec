import { type Program, untilSignalled } from "../runtime/program.ts";
import { DEBIAN_TOOLS, debianFiles } from "./debian.ts";
import type { SimulatedImage } from "./image.ts";

const PORT = 11211;

const serve: Program = async (context) => {
  let port = PORT;
  const { argv } = context;
  for (const [index, word] of argv.entries()) {
    if (word === "-p") port = Number(argv[index + 1]);
    else if (word.startsWith("--port=")) port = Number(word.slice("--port=".length));
  }
  let server: { close(): void };
  try {
    server = context.network.listen(port, {});
  } catch {
    context.stderr(`failed to listen on TCP port ${port}: Address already in use\n`);
    return 71;
  }
  const signal = await untilSignalled(context, ["SIGTERM", "SIGINT"]);
  context.stderr(`Signal handled: ${signal === "SIGTERM" ? "Terminated" : "Interrupt"}.\n`);
  server.close();
  return 0;
};

/** memcached accepts connections on its port; it keeps no data. */
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
    // The entrypoint puts `memcached` before arguments that begin with a dash, and becomes it.
    "/usr/local/bin/docker-entrypoint.sh": (context) => {
      const [, first = "memcached", ...rest] = context.argv;
      const argv = first.startsWith("-") ? ["memcached", first, ...rest] : [first, ...rest];
      context.process.argv = argv;
      return serve({ ...context, argv });
    },
  },
  shell: { flavour: "bash", paths: ["/bin/sh", "/bin/bash"], tools: DEBIAN_TOOLS, toolDirectory: "/usr/bin" },
};
