import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A server other than the tutorial's. It counts and rejects connections, also as a proxy. */
export interface ForeignServer {
  readonly url: string;
  readonly connections: () => number;
  close(): Promise<void>;
}

export async function startForeignServer(): Promise<ForeignServer> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns a kubeconfig whose current context is `name`. */
export function kubeconfigOf(name: string, server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name, user: { token: "secret" } }],
  });
}

/** The home of a person whose kubectl uses a production cluster, and whose own Node is old. */
export interface HostileHome {
  readonly folder: string;
  /** Kubeconfig of the context `prod`. */
  readonly prod: string;
  /** Folder with a `node` of version 12, and a `kubectl` that uses the production cluster. */
  readonly oldBin: string;
  /** Writes a file below the home. */
  write(name: string, content: string): Promise<void>;
  remove(): Promise<void>;
}

export async function openHostileHome(foreign: ForeignServer): Promise<HostileHome> {
  const folder = await mkdtemp(join(tmpdir(), "hostile home's-"));
  const oldBin = join(folder, "old/bin");
  const prod = join(folder, "prod");
  const write = async (name: string, content: string, mode = 0o644): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content, { mode });
  };
  await write("prod", kubeconfigOf("prod", foreign.url));
  await write("old/bin/node", "#!/bin/sh\necho v12.0.0\n", 0o755);
  await write("old/bin/kubectl", "#!/bin/sh\necho prod at https://prod.example.com\n", 0o755);
  return {
    ...{ folder, prod, oldBin, write },
    // fish writes completions in the background for a while.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}
