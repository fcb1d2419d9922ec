import type { Duplex } from "node:stream";

/** What the preload asks of the kubelet, over file descriptor 3, a JSON object a line. */
export type Question =
  /** From now on signals do what they do in a container. */
  | { id: number; ask: "ready" }
  /** A work queue of the sdk has handed out a key. Nothing waits for the answer. */
  | { id: number; ask: "reconciled"; queue: string; key: string }
  | { id: number; ask: "listen"; port: number }
  | { id: number; ask: "listening"; port: number; hostPort: number }
  | { id: number; ask: "closed"; port: number }
  | { id: number; ask: "dial"; host: string; port: number }
  | { id: number; ask: "resolve"; host: string }
  /** A piece of a tool's standard input, base64; "" ends it. */
  | { id: number; ask: "input"; pid: number; data: string };

/** Answers carry the question's id. `code` is node's, such as ECONNREFUSED. */
export type Answer = { id: number } & (
  | { ok: true; port?: number; addresses?: readonly string[] }
  | { ok: false; code: string; message: string }
);

/** Serves a child's questions until its end of the pipe is closed. */
export function serveChannel(
  channel: Duplex,
  answer: (question: Question) => Promise<Omit<Answer, "id">>,
): void {
  let text = "";
  channel.on("error", () => {});
  channel.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      void reply(text.slice(0, end));
      text = text.slice(end + 1);
    }
    // Our preload never sends that much, so another program has taken its pipe.
    if (text.length > 1 << 16) channel.destroy();
  });
  async function reply(line: string): Promise<void> {
    let id = 0;
    try {
      const question = JSON.parse(Buffer.from(line, "latin1").toString()) as Question;
      id = question.id;
      send({ ...(await answer(question)), id } as Answer);
    } catch (error) {
      const { code = "ECONNREFUSED", message } = error as NodeJS.ErrnoException;
      send({ id, ok: false, code, message: String(message) });
    }
  }
  function send(message: Answer): void {
    if (channel.writable) channel.write(`${JSON.stringify(message)}\n`);
  }
}
