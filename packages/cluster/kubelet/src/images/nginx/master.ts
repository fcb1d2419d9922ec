import type { SimulatedRequest, SimulatedResponse } from "../../network/simulated-http.ts";
import type { ProcessContext, Program } from "../../runtime/contracts.ts";
import type { Signal } from "../../runtime/process-table.ts";
import { NginxConfigError } from "./config.ts";
import { respond } from "./respond.ts";
import { loadServers, type NginxServer } from "./servers.ts";

/** Returns the name that nginx reports, from the image's tag: `nginx/1.29`. */
export function nginxVersion({ container }: ProcessContext): string {
  const version = /^\d+(\.\d+)*/.exec(container.config.tag)?.[0];
  return version === undefined ? "nginx" : `nginx/${version}`;
}

const signalNumbers: Partial<Record<Signal, number>> = { SIGQUIT: 3, SIGTERM: 15, SIGINT: 2 };

/**
 * The master process: listens, serves, reloads its configuration on SIGHUP, and ends on SIGTERM, SIGINT or
 * SIGQUIT.
 */
export const serve: Program = async (context) => {
  const { clock, process } = context;
  const id = `${process.pid}#${process.pid}`;
  const notice = (message: string) => context.stderr(`${logTime(clock.now())} [notice] ${id}: ${message}\n`);
  const emerg = (error: unknown) => {
    if (!(error instanceof NginxConfigError)) throw error;
    return error.message;
  };
  let open: Listening;
  try {
    open = listen(context, await loadServers(context), undefined);
  } catch (error) {
    context.stderr(
      `${logTime(clock.now())} [emerg] ${id}: ${emerg(error)}\nnginx: [emerg] ${emerg(error)}\n`,
    );
    return 1;
  }
  process.argv = ["nginx: master process nginx -g daemon off;"];
  notice('using the "epoll" event method');
  notice(nginxVersion(context));
  notice("start worker processes");
  let worker = startWorker(context);
  notice(`start worker process ${worker}`);

  return new Promise<number>((resolve) => {
    const reload = async () => {
      notice("signal 1 (SIGHUP) received, reconfiguring");
      try {
        open = listen(context, await loadServers(context), open);
      } catch (error) {
        // The old configuration stays in force.
        context.stderr(`${logTime(clock.now())} [emerg] ${id}: ${emerg(error)}\n`);
        return;
      }
      context.container.config.processes.remove(worker);
      worker = startWorker(context);
      notice(`start worker process ${worker}`);
    };
    context.onSignal((signal) => {
      if (signal === "SIGHUP") void reload();
      const number = signalNumbers[signal];
      if (number === undefined) return;
      notice(`signal ${number} (${signal}) received, ${signal === "SIGQUIT" ? "shutting down" : "exiting"}`);
      context.container.config.processes.remove(worker);
      for (const { close } of open.values()) close();
      notice("exit");
      resolve(0);
    });
  });
};

/** By port: the server that answers, and a function that closes the port. */
type Listening = Map<number, { server: NginxServer; close(): void }>;

/**
 * Opens the ports of a configuration and closes those that it no longer has.
 * @throws NginxConfigError when a port is taken. Then the old ports stay as they are
 */
function listen(context: ProcessContext, servers: NginxServer[], before: Listening | undefined): Listening {
  const open: Listening = new Map();
  for (const server of servers) {
    for (const port of server.ports) {
      const same = open.has(port) ? undefined : before?.get(port);
      if (same !== undefined) {
        same.server = server;
        open.set(port, same);
      } else if (!open.has(port)) open.set(port, listenOn(context, port, server, open, before));
    }
  }
  for (const [port, { close }] of before ?? []) if (!open.has(port)) close();
  return open;
}

function listenOn(
  context: ProcessContext,
  port: number,
  server: NginxServer,
  open: Listening,
  before: Listening | undefined,
): { server: NginxServer; close(): void } {
  try {
    const entry = { server, close() {} };
    const listening = context.network.listen(port, {
      http: (request) => answer(context, entry.server, request),
    });
    entry.close = listening.close;
    return entry;
  } catch {
    for (const [other, { close }] of open) if (!before?.has(other)) close();
    throw new NginxConfigError(`bind() to 0.0.0.0:${port} failed (98: Address in use)`);
  }
}

function startWorker({ container, process }: ProcessContext): number {
  const { processes } = container.config;
  return processes.add({
    ...process,
    ppid: process.pid,
    uid: 101,
    gid: 101,
    argv: ["nginx: worker process"],
    signal() {},
  }).pid;
}

async function answer(
  context: ProcessContext,
  server: NginxServer,
  request: SimulatedRequest,
): Promise<SimulatedResponse> {
  const now = context.clock.now();
  const { response, error } = await respond(context, server, request, nginxVersion(context));
  const { method, path, headers, from } = request;
  const line = `"${method} ${path} HTTP/1.1"`;
  if (error !== undefined)
    context.stderr(
      `${logTime(now)} [error] 29#29: ${error}, client: ${from}, server: localhost, request: ${line}, host: "${headers.host ?? ""}"\n`,
    );
  const sent = method === "HEAD" ? 0 : Buffer.byteLength(response.body);
  const quoted = (name: string) => `"${headers[name] ?? "-"}"`;
  context.stdout(
    `${from} - - [${accessTime(now)}] ${line} ${response.status} ${sent} ${quoted("referer")} ${quoted("user-agent")} ${quoted("x-forwarded-for")}\n`,
  );
  return response;
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
