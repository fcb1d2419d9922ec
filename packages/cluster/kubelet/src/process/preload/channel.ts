import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

/** The connection to the kubelet. This process ends when it closes, because the cluster has then ended. */
export interface Channel {
  ask(question: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Sends a message that needs no answer. */
  send(message: Record<string, unknown>): void;
  /** Calls back with each message that the kubelet sends without a question. */
  onNotice(listener: (notice: Record<string, unknown>) => void): void;
  /**
   * Keeps this process alive.
   * @returns releases it
   */
  keepAlive(): () => void;
}

export function openChannel(fd: number): Channel {
  const socket = new Socket({ fd, readable: true, writable: true });
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  let last = 0;
  const listeners: ((notice: Record<string, unknown>) => void)[] = [];
  let holds = 0;
  let text = "";
  const unrefIfIdle = () => {
    if (waiting.size === 0 && holds === 0) socket.unref();
  };
  socket.on("data", (chunk) => {
    text += chunk.toString();
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const answer = JSON.parse(text.slice(0, end)) as { id: number };
      text = text.slice(end + 1);
      if (answer.id === 0) for (const listener of listeners) listener(answer);
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
      unrefIfIdle();
    }
  });
  const { pid } = process;
  const kill = process.kill.bind(process);
  const end = () => kill(pid, "SIGKILL");
  socket.on("end", end);
  socket.on("error", end);
  socket.on("close", end);
  socket.unref();
  return {
    onNotice: (listener) => void listeners.push(listener),
    keepAlive() {
      holds++;
      socket.ref();
      let isHeld = true;
      return () => {
        if (isHeld) holds--;
        isHeld = false;
        unrefIfIdle();
      };
    },
    send: (message) => void socket.write(`${JSON.stringify({ ...message, id: 0 })}\n`),
    ask(question) {
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        // A program that waits for an answer must not end.
        socket.ref();
        socket.write(`${JSON.stringify({ ...question, id })}\n`);
      });
    },
  };
}

/**
 * Reports each key that a work queue of this process returns, so that a test can see whether a controller is
 * idle.
 */
export function reportReconciles(channel: Channel): void {
  subscribe("operator-path:workqueue:taken", (message) => {
    const { queue, key } = message as { queue: string; key: string };
    channel.send({ ask: "reconciled", queue, key });
  });
}
