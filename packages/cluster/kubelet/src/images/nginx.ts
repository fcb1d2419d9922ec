import { STATUS_CODES } from "node:http";
import { posix } from "node:path";
import type { SimulatedRequest, SimulatedResponse } from "../network/simulated-http.ts";
import type { ProcessContext, Program, SimulatedImage } from "../runtime/contracts.ts";
import { untilSignalled } from "../runtime/spawn.ts";
import { DEBIAN_TOOLS, debianFiles } from "./debian.ts";

const root = "/usr/share/nginx/html";
const welcome = `<!DOCTYPE html>
<html>
<head><title>Welcome to nginx!</title></head>
<body>
<h1>Welcome to nginx!</h1>
<p>This is a simulated nginx: it serves the files in ${root}.</p>
</body>
</html>
`;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "application/javascript",
  ".json": "application/json",
  ".txt": "text/plain",
  ".svg": "image/svg+xml",
};

/** nginx of any tag: serves the files of its folder on port 80. */
export const nginx: SimulatedImage = nginxImage("docker.io/library/nginx", 80);

/** The image that runs without root, on port 8080. */
export const nginxUnprivileged: SimulatedImage = {
  ...nginxImage("docker.io/nginxinc/nginx-unprivileged", 8080),
};

function nginxImage(repository: string, port: number): SimulatedImage {
  const config = {
    "/etc/nginx/nginx.conf": "events {}\nhttp { include /etc/nginx/conf.d/*.conf; }\n",
    "/etc/nginx/conf.d/default.conf": `server {\n    listen ${port};\n    root ${root};\n}\n`,
  };
  const serveFiles: Program = (context) => serve(context, port, config);
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
      ...config,
      [`${root}/index.html`]: welcome,
      "/usr/sbin/nginx": { content: "simulated executable\n", mode: 0o755 },
      "/docker-entrypoint.sh": { content: "simulated executable\n", mode: 0o755 },
    }),
    programs: {
      "/usr/sbin/nginx": serveFiles,
      "/docker-entrypoint.sh": async (context) => {
        const [, command = "nginx", ...rest] = context.argv;
        const argv = [command, ...rest];
        if (command === "nginx") return serveFiles({ ...context, argv });
        const { findProgram } = await import("../runtime/find-program.ts");
        return (await findProgram(context.container, command))({ ...context, argv });
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

/** Serves until SIGTERM, SIGINT or SIGQUIT. With -v, prints the version. */
async function serve(
  context: ProcessContext,
  port: number,
  config: Readonly<Record<string, string>>,
): Promise<number> {
  const { clock, process, argv } = context;
  const version = versionOf(context);
  if (argv.includes("-v")) {
    context.stderr(`nginx version: ${version}\n`);
    return 0;
  }
  const fail = (message: string) => {
    context.stderr(`${logTime(clock.now())} [emerg] ${process.pid}#${process.pid}: ${message}\n`);
    return 1;
  };
  const option = argv.find((word) => /^-[tTscp]/.test(word));
  if (option !== undefined)
    return fail(`the simulated nginx has no option ${option}: use a kind cluster, or leave it out`);
  const changed = await changedFile(context, config);
  if (changed !== undefined)
    return fail(
      `the simulated nginx cannot use the configuration in ${changed}: use a kind cluster, or serve the files in ${root}`,
    );
  let server: { close(): void };
  try {
    server = context.network.listen(port, { http: (request) => answer(context, request, version) });
  } catch {
    return fail(`bind() to 0.0.0.0:${port} failed (98: Address in use)`);
  }
  process.argv = ["nginx: master process nginx -g daemon off;"];
  context.stderr(`${logTime(clock.now())} [notice] ${process.pid}#${process.pid}: start worker processes\n`);
  await untilSignalled(context, ["SIGQUIT", "SIGTERM", "SIGINT"]);
  server.close();
  return 0;
}

/** Returns the name that nginx reports, from the image's tag: `nginx/1.29`. */
function versionOf({ container }: ProcessContext): string {
  const version = /^\d+(\.\d+)*/.exec(container.config.tag)?.[0];
  return version === undefined ? "nginx" : `nginx/${version}`;
}

/** Returns a file of the configuration that differs from the image's, or is not part of the image. */
async function changedFile(
  { container }: ProcessContext,
  config: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const files = await container.filesystem();
  const names = await files.readdir("/etc/nginx/conf.d").catch(() => []);
  const included = names
    .filter((name) => /^[^.].*\.conf$/.test(name))
    .map((name) => `/etc/nginx/conf.d/${name}`);
  for (const path of new Set([...Object.keys(config), ...included]))
    if ((await files.readFile(path).catch(() => undefined)) !== config[path]) return path;
  return undefined;
}

async function answer(
  context: ProcessContext,
  request: SimulatedRequest,
  version: string,
): Promise<SimulatedResponse> {
  const { method, path, headers, from } = request;
  const now = context.clock.now();
  const line = `"${method} ${path} HTTP/1.1"`;
  const { response, error } = await respond(context, request, version);
  if (error !== undefined)
    context.stderr(
      `${logTime(now)} [error] 29#29: ${error}, client: ${from}, server: localhost, request: ${line}, host: "${headers.host ?? ""}"\n`,
    );
  const sent = method === "HEAD" ? 0 : Buffer.byteLength(response.body);
  const quoted = (name: string) => `"${headers[name] ?? "-"}"`;
  context.stdout(
    `${from} - - [${accessTime(now)}] ${line} ${response.status} ${sent} ${quoted("referer")} ${quoted("user-agent")} ${quoted("x-forwarded-for")}\n`,
  );
  return {
    ...response,
    headers: { Server: version, Date: new Date(now).toUTCString(), ...response.headers },
  };
}

/** Returns the file of a request, and the line for the error log. */
async function respond(
  context: ProcessContext,
  { method, path: target, headers }: SimulatedRequest,
  version: string,
): Promise<{ response: SimulatedResponse; error?: string }> {
  const page = (status: number, more: Record<string, string> = {}) => errorPage(version, status, more);
  const path = pathOf(target);
  if (path === undefined) return { response: page(400) };
  if (method !== "GET" && method !== "HEAD") return { response: page(405) };
  const files = await context.container.filesystem();
  const stat = (name: string) => files.stat(name).catch(() => undefined);
  const found = await stat(root + path);
  if (found?.isDirectory && !path.endsWith("/"))
    return { response: page(301, { Location: `http://${headers.host ?? "localhost"}${path}/` }) };
  const file = root + (path.endsWith("/") ? `${path}index.html` : path);
  if ((await stat(file)) === undefined) {
    return found?.isDirectory
      ? { response: page(403), error: `directory index of "${root}${path}" is forbidden` }
      : { response: page(404), error: `open() "${file}" failed (2: No such file or directory)` };
  }
  const body = await files.readFile(file).catch(() => undefined);
  if (body === undefined)
    return { response: page(403), error: `open() "${file}" failed (13: Permission denied)` };
  const type = types[posix.extname(file)] ?? "application/octet-stream";
  return { response: { status: 200, headers: { "Content-Type": type }, body } };
}

/** Returns the decoded and normalised path without its query. undefined: the path is invalid. */
function pathOf(target: string): string | undefined {
  try {
    const path = decodeURIComponent(target.split(/[?#]/)[0] ?? "/");
    if (!path.startsWith("/") || path.includes("\0")) return undefined;
    return posix.normalize(path);
  } catch {
    return undefined;
  }
}

/** Returns nginx's own page for a status. */
function errorPage(version: string, status: number, headers: Record<string, string>): SimulatedResponse {
  const title = `${status} ${status === 405 ? "Not Allowed" : STATUS_CODES[status]}`;
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>${version}</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { "Content-Type": "text/html", ...headers }, body };
}

/** Returns a time of nginx's error log: `2026/11/21 07:00:00`. */
function logTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ");
}

/** Returns a time of the access log: `21/Nov/2026:07:00:00 +0000`. */
function accessTime(ms: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(new Date(ms).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
