import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { ProcessContext } from "../runtime/contracts.ts";
import type { Answer, Question } from "./channel.ts";

/** The network of one process: the ports on which it listens, and the connections that it may open. */
export interface PodPorts {
  answer(question: Question): Promise<Omit<Answer, "id">>;
  /** Frees the ports after the process has ended. */
  close(): void;
}

/** Answers a process's questions from its Pod's network. */
export function createPodPorts({ network }: ProcessContext): PodPorts {
  const open = new Map<number, () => void>();
  const relays = new Set<Server>();
  return {
    async answer(question) {
      switch (question.ask) {
        case "dial":
          return { ok: true, port: await relay(network.dial(question.host, question.port), relays) };
        case "resolve": {
          const addresses = network.resolve(question.host);
          if (addresses) return { ok: true, addresses };
          return { ok: false, code: "ENOTFOUND", message: `getaddrinfo ENOTFOUND ${question.host}` };
        }
        case "listen": {
          const { port } = question;
          if (port !== 0 && (open.has(port) || network.listens(port))) {
            return { ok: false, code: "EADDRINUSE", message: "address already in use" };
          }
          return { ok: true };
        }
        case "listening":
          open.get(question.port)?.();
          open.set(question.port, network.expose(question.port, question.hostPort));
          return { ok: true };
        case "closed":
          open.get(question.port)?.();
          open.delete(question.port);
          return { ok: true };
        default:
          return { ok: false, code: "EINVAL", message: "unknown question" };
      }
    },
    close() {
      for (const withdraw of open.values()) withdraw();
      for (const server of relays) server.close();
    },
  };
}

/** How long a relay waits for its connection, in ms. */
const connectTimeoutMs = 5000;

/**
 * Opens a loopback port for one connection, and connects it to the given one. The port closes when the
 * connection has arrived, when the given one has closed, or after `connectTimeoutMs`.
 * @param relays the listening relays
 * @throws Error with Node's code when no port can be opened, such as EMFILE
 */
async function relay(
  connecting: ReturnType<ProcessContext["network"]["dial"]>,
  relays: Set<Server>,
): Promise<number> {
  const far = await connecting;
  const server = createServer({ allowHalfOpen: true });
  server.maxConnections = 1;
  relays.add(server);
  const timer = setTimeout(() => server.close(), connectTimeoutMs);
  timer.unref();
  const closeServer = () => void server.close();
  let isConnected = false;
  far.on("error", closeServer);
  far.once("close", closeServer);
  server.once("close", () => {
    clearTimeout(timer);
    relays.delete(server);
    if (!isConnected) far.destroy();
  });
  server.on("connection", (near) => {
    isConnected = true;
    server.close();
    near.setNoDelay();
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  try {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  } catch (error) {
    clearTimeout(timer);
    relays.delete(server);
    far.destroy();
    throw error;
  }
  server.on("error", closeServer);
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}
