import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { arch, homedir, totalmem } from "node:os";
import { enginePatience } from "@operator-path/kind";
import { userDirectories } from "@operator-path/tools";

/** What the doctor sees of a machine; tests hand it another one. */
export interface Machine {
  /** PATH, KUBECONFIG, DOCKER_HOST and the like. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Whether this user is root: a small container has no sudo, and needs none. */
  readonly superuser: boolean;
  /** As Node names it: x64, arm64. */
  readonly arch: string;
  /** The folder in which /proc, /sys and /etc are looked for. */
  readonly root: string;
  /** The Node that runs this. */
  readonly node: { readonly version: string; readonly path: string };
  /** Of the whole machine, in bytes. */
  readonly memory: number;
  readonly now: Date;
  /** Where tools are unpacked. */
  readonly cacheDirectory: string;
  /** Milliseconds that a program may take to answer. */
  readonly patience: number;
  /** The same of a container engine: as long as the scripts of kind wait for one. */
  readonly enginePatience: number;
  /** Bytes that this user may still write below `path`. Throws when there is no such path. */
  readonly freeSpace: (path: string) => Promise<number>;
  /** Whether somebody could listen there: undefined, or Node's code of the error (EADDRINUSE, EADDRNOTAVAIL). */
  readonly tryPort: (host: string, port: number) => Promise<string | undefined>;
}

/** The machine that this runs on. */
export function thisMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  return {
    env,
    home: env.HOME || homedir(),
    platform: process.platform,
    superuser: process.getuid?.() === 0,
    arch: arch(),
    root: "/",
    node: { version: process.versions.node, path: process.execPath },
    memory: totalmem(),
    now: new Date(),
    cacheDirectory: userDirectories(env).cache,
    patience: 4000,
    enginePatience,
    freeSpace,
    tryPort,
  };
}

async function freeSpace(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Listens for a moment, on an address that nobody else reaches. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}
