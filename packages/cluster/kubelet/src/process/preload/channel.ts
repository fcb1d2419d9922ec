import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

/** The line to the kubelet. When it closes the cluster is gone, in whatever way, and so is this process. */
export interface Channel {
  ask(question: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Says something that needs no answer. */
  send(message: Record<string, unknown>): void;
  /** What is said unasked. */
  onNotice(listener: (notice: Record<string, unknown>) => void): void;
  /** The process goes on as long as it is held. @returns what lets go of it */
  keepAlive(): () => void;
}

export function openChannel(fd: number): Channel {
  const socket = new Socket({ fd, readable: true, writable: true });
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  let last = 0;
  const listeners: ((notice: Record<string, unknown>) => void)[] = [];
  let holds = 0;
  let text = "";
  const rest = () => {
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
      rest();
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
        rest();
      };
    },
    send: (message) => void socket.write(`${JSON.stringify({ ...message, id: 0 })}\n`),
    ask(question) {
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        // A program that waits for an answer has not come to its end.
        socket.ref();
        socket.write(`${JSON.stringify({ ...question, id })}\n`);
      });
    },
  };
}

/** Reports each key that a work queue of this process hands out, so that a test can see whether a controller rests. */
export function reportReconciles(channel: Channel): void {
  subscribe("operator-path:workqueue:taken", (message) => {
    const { queue, key } = message as { queue: string; key: string };
    channel.send({ ask: "reconciled", queue, key });
  });
}
