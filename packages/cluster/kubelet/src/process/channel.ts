import type { Duplex } from "node:stream";

/** A request of the preload to the kubelet, over file descriptor 3, one JSON object per line. */
export type Question =
  /** The preload has set up the process. Signals can be delivered from now on. */
  | { id: number; ask: "ready" }
  /** A work queue of the sdk has returned a key. The preload ignores the answer. */
  | { id: number; ask: "reconciled"; queue: string; key: string }
  | { id: number; ask: "listen"; port: number }
  | { id: number; ask: "listening"; port: number; hostPort: number }
  | { id: number; ask: "closed"; port: number }
  | { id: number; ask: "dial"; host: string; port: number }
  | { id: number; ask: "resolve"; host: string }
  /** A chunk of a tool's standard input in base64. "" ends it. */
  | { id: number; ask: "input"; pid: number; data: string };

/** An answer with the question's id. `code` is Node's, such as ECONNREFUSED. */
export type Answer = { id: number } & (
  | { ok: true; port?: number; addresses?: readonly string[] }
  | { ok: false; code: string; message: string }
);

/** Answers a child's questions until it closes the pipe. */
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
    // The preload never sends that much, so another program uses its pipe.
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
