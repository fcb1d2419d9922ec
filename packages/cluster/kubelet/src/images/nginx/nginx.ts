import type { ProcessContext, Program, SimulatedImage } from "../../runtime/contracts.ts";
import { DEBIAN_TOOLS, debianFiles } from "../debian.ts";
import { NginxConfigError } from "./config.ts";
import { nginxVersion, serve } from "./master.ts";
import { loadServers } from "./servers.ts";

const ROOT = "/usr/share/nginx/html";
const WELCOME = `<!DOCTYPE html>
<html>
<head><title>Welcome to nginx!</title></head>
<body>
<h1>Welcome to nginx!</h1>
<p>This is a simulated nginx: it serves the files in ${ROOT}.</p>
</body>
</html>
`;

const MAIN_CONFIG = `user nginx;
worker_processes auto;
error_log /var/log/nginx/error.log notice;
pid /run/nginx.pid;

events {
    worker_connections 1024;
}

http {
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    sendfile on;
    keepalive_timeout 65;
    include /etc/nginx/conf.d/*.conf;
}
`;

const serverConfig = (port: number) => `server {
    listen ${port};
    server_name localhost;

    location / {
        root ${ROOT};
        index index.html index.htm;
    }
}
`;

/**
 * `nginx`: runs the server. With -t, -v or -s, tests the configuration, prints the version, or signals the
 * running server.
 */
const nginxCommand: Program = async (context) => {
  const args = context.argv.slice(1);
  if (args.includes("-v") || args.includes("-V")) {
    context.stderr(`nginx version: ${nginxVersion(context)}\n`);
    return 0;
  }
  if (args.includes("-t") || args.includes("-T")) return test(context);
  const at = args.indexOf("-s");
  return at < 0 ? serve(context) : signal(context, args[at + 1] ?? "");
};

async function test(context: ProcessContext): Promise<number> {
  const file = "/etc/nginx/nginx.conf";
  try {
    await loadServers(context);
  } catch (error) {
    if (!(error instanceof NginxConfigError)) throw error;
    context.stderr(`nginx: [emerg] ${error.message}\nnginx: configuration file ${file} test failed\n`);
    return 1;
  }
  context.stderr(
    `nginx: the configuration file ${file} syntax is ok\nnginx: configuration file ${file} test is successful\n`,
  );
  return 0;
}

function signal(context: ProcessContext, name: string): number {
  const signals = { reload: "SIGHUP", quit: "SIGQUIT", stop: "SIGTERM", reopen: "SIGUSR1" } as const;
  const wanted = signals[name as keyof typeof signals];
  if (wanted === undefined) {
    context.stderr(`nginx: invalid option: "-s ${name}"\n`);
    return 1;
  }
  const master = context.container.config.processes
    .list()
    .find(({ argv }) => argv[0]?.startsWith("nginx: master"));
  if (master === undefined) {
    context.stderr('nginx: [error] open() "/run/nginx.pid" failed (2: No such file or directory)\n');
    return 1;
  }
  master.signal(wanted);
  return 0;
}

/** nginx of any tag: serves HTTP according to its configuration, as far as servers.ts supports it. */
export const nginx: SimulatedImage = nginxImage("docker.io/library/nginx", 80);

/** The image that runs without root, on port 8080. */
export const nginxUnprivileged: SimulatedImage = {
  ...nginxImage("docker.io/nginxinc/nginx-unprivileged", 8080),
};

function nginxImage(repository: string, port: number): SimulatedImage {
  return {
    repository,
    tags: "any",
    config: {
      entrypoint: ["/docker-entrypoint.sh"],
      cmd: ["nginx", "-g", "daemon off;"],
      stopSignal: "SIGQUIT",
      ...(port === 80 ? {} : { user: "101" }),
    },
    files: () => ({
      ...debianFiles({ user: { name: "nginx", uid: 101, gid: 101 } }),
      [`${ROOT}/index.html`]: WELCOME,
      "/etc/nginx/nginx.conf": MAIN_CONFIG,
      "/etc/nginx/conf.d/default.conf": serverConfig(port),
      "/usr/sbin/nginx": { content: "simulated executable\n", mode: 0o755 },
      "/docker-entrypoint.sh": { content: "simulated executable\n", mode: 0o755 },
    }),
    programs: {
      "/usr/sbin/nginx": nginxCommand,
      "/docker-entrypoint.sh": async (context) => {
        const [, command = "nginx", ...rest] = context.argv;
        if (command !== "nginx" && command !== "nginx-debug") {
          const { findProgram } = await import("../../runtime/find-program.ts");
          return (await findProgram(context.container, command))({ ...context, argv: [command, ...rest] });
        }
        context.stdout("/docker-entrypoint.sh: Configuration complete; ready for start up\n");
        return nginxCommand({ ...context, argv: [command, ...rest] });
      },
    },
    shell: {
      flavour: "bash",
      paths: ["/bin/sh", "/bin/bash"],
      tools: DEBIAN_TOOLS,
      toolDirectory: "/usr/bin",
    },
  };
}
