import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Takes connections, and never says anything: who asks it waits. */
export interface SilentServer extends AsyncDisposable {
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
