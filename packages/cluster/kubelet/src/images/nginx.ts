import type { SimulatedRequest, SimulatedResponse } from "../network/pod-network.ts";
import { type ProcessContext, type Program, untilSignalled } from "../runtime/program.ts";
import { DEBIAN_TOOLS, debianFiles } from "./debian.ts";
import type { SimulatedImage } from "./image.ts";

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

/** `2026/11/21 07:00:00`, the clock of nginx's error log. */
function logTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ");
}

/** `21/Nov/2026:07:00:00 +0000`, the clock of the access log. */
function accessTime(ms: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(ms).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

const serve: Program = async (context) => {
  const { clock, network, process } = context;
  const notice = (message: string) =>
    context.stderr(`${logTime(clock.now())} [notice] ${process.pid}#${process.pid}: ${message}\n`);
  const version = /^\d+(\.\d+)*/.exec(context.container.config.tag)?.[0] ?? "";
  let server: { close(): void };
  try {
    server = network.listen(80, { http: (request) => answer(context, request) });
  } catch {
    context.stderr(`nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address in use)\n`);
    return 1;
  }
  process.argv = ["nginx: master process nginx -g daemon off;"];
  notice('using the "epoll" event method');
  notice(`nginx/${version || "simulated"}`);
  notice("start worker processes");
  const worker = context.container.config.processes.add({
    ...process,
    ppid: process.pid,
    uid: 101,
    gid: 101,
    argv: ["nginx: worker process"],
    signal() {},
  });
  notice(`start worker process ${worker.pid}`);
  const signal = await untilSignalled(context, ["SIGQUIT", "SIGTERM", "SIGINT"]);
  notice(
    `signal ${{ SIGQUIT: 3, SIGTERM: 15, SIGINT: 2 }[signal as "SIGQUIT"]} (${signal}) received, ${signal === "SIGQUIT" ? "shutting down" : "exiting"}`,
  );
  context.container.config.processes.remove(worker.pid);
  server.close();
  notice("exit");
  return 0;
};

async function answer(context: ProcessContext, request: SimulatedRequest): Promise<SimulatedResponse> {
  const path = decodeURI(request.path.split("?")[0] ?? "/");
  const files = await context.container.filesystem();
  const file = `${ROOT}${path.endsWith("/") ? `${path}index.html` : path}`;
  const found = await files.readFile(file).catch(() => undefined);
  const response: SimulatedResponse =
    found === undefined
      ? {
          status: 404,
          body: `<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
        }
      : { status: 200, headers: { "content-type": "text/html" }, body: found };
  const agent = request.headers["user-agent"] ?? "-";
  context.stdout(
    `${request.from} - - [${accessTime(context.clock.now())}] "${request.method} ${request.path} HTTP/1.1" ${response.status} ${response.body.length} "-" "${agent}" "-"\n`,
  );
  return response;
}

/** nginx of any tag: serves what is in its root folder on port 80. nginx.conf is not read. */
export const nginx: SimulatedImage = {
  repository: "docker.io/library/nginx",
  tags: "any",
  config: {
    entrypoint: ["/docker-entrypoint.sh"],
    cmd: ["nginx", "-g", "daemon off;"],
    stopSignal: "SIGQUIT",
  },
  files: () => ({
    ...debianFiles({ user: { name: "nginx", uid: 101, gid: 101 } }),
    [`${ROOT}/index.html`]: WELCOME,
    "/etc/nginx/nginx.conf": "# simulated: this file is not read\n",
    "/usr/sbin/nginx": { content: "simulated executable\n", mode: 0o755 },
    "/docker-entrypoint.sh": { content: "simulated executable\n", mode: 0o755 },
  }),
  programs: {
    "/usr/sbin/nginx": serve,
    "/docker-entrypoint.sh": async (context) => {
      const [, command = "nginx", ...rest] = context.argv;
      if (command !== "nginx" && command !== "nginx-debug") {
        const { findProgram } = await import("../runtime/find-program.ts");
        return (await findProgram(context.container, command))({ ...context, argv: [command, ...rest] });
      }
      context.stdout("/docker-entrypoint.sh: Configuration complete; ready for start up\n");
      return serve({ ...context, argv: [command, ...rest] });
    },
  },
  shell: { flavour: "bash", paths: ["/bin/sh", "/bin/bash"], tools: DEBIAN_TOOLS, toolDirectory: "/usr/bin" },
};
