import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { arch, homedir, totalmem } from "node:os";
import { enginePatience } from "@operator-path/kind";
import { userDirectories } from "@operator-path/tools";

/** What the doctor sees of a machine. Tests pass another one. */
export interface Machine {
  /** PATH, KUBECONFIG, DOCKER_HOST and the like. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** This user is root. Then commands need no sudo, which a small container lacks. */
  readonly superuser: boolean;
  /** The architecture in Node's words: x64, arm64. */
  readonly arch: string;
  /** The folder of /proc, /sys and /etc. */
  readonly root: string;
  /** The Node that runs this. */
  readonly node: { readonly version: string; readonly path: string };
  /** Memory of the whole machine, in bytes. */
  readonly memory: number;
  readonly now: Date;
  /** Folder for unpacked tools. */
  readonly cacheDirectory: string;
  /** How long a program may take to answer, in milliseconds. */
  readonly patience: number;
  /** The same for a container engine. The scripts of kind wait as long. */
  readonly enginePatience: number;
  /**
   * Resolves to the bytes that this user may still write below `path`. Rejects if the path does not exist.
   */
  readonly freeSpace: (path: string) => Promise<number>;
  /** Tries to listen. Resolves to undefined, or to Node's error code (EADDRINUSE, EADDRNOTAVAIL). */
  readonly tryPort: (host: string, port: number) => Promise<string | undefined>;
}

/** Returns the machine that runs this process. */
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

/** Listens for a moment. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const server = createServer();
  server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}
