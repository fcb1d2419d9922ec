import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/** A connection to a real engine that can be cut. */
export interface EngineProxy {
  /** For DOCKER_HOST. */
  readonly host: string;
  /** Nothing answers there any more, as if the daemon had been stopped. */
  cut(): Promise<void>;
}

/** Listens on a socket in `folder`, and passes every byte to the engine at `target`, the path of a socket. */
export async function engineProxy(folder: string, target: string): Promise<EngineProxy> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: target, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => open.delete(from));
    }
  });
  const path = join(folder, "engine.sock");
  server.listen(path);
  await once(server, "listening");
  return {
    host: `unix://${path}`,
    async cut() {
      server.close();
      for (const socket of open) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}
