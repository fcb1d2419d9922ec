import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf } from "@operator-path/tools";

/**
 * Waits for a condition, up to the test's own timeout. A slow condition is checked less often, because the
 * program under test needs the machine too.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let begin = performance.now(); !(await condition()); begin = performance.now()) {
    await sleep(Math.max(20, 2 * (performance.now() - begin)));
  }
}

export const hasExited = async (pid: number): Promise<boolean> => (await identityOf(pid)) === undefined;

/** Whether the port of a URL accepts connections. */
export async function listens(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Flags that run a TypeScript program in a new process, as the scripts of this repository do. */
export const nodeFlags = ["--conditions=@operator-path/source", "--input-type=module-typescript"];

/** Returns a URL for `import … from` in such a program. */
export const sourceUrl = (path: string): string => new URL(`../${path}`, import.meta.url).href;

/** Accepts connections and never answers, so clients wait. */
interface SilentServer extends AsyncDisposable {
  /** http://127.0.0.1:<port>/ */
  readonly url: string;
}

export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
