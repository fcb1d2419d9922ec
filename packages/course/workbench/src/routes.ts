import { UserError } from "@operator-path/cluster/user-error";
import { beat, UiError, type UiServer } from "@operator-path/ui";
import { z } from "zod";
import { faults } from "./faults/faults.ts";
import { FileError } from "./files.ts";
import type { LanguageSession } from "./language/language.ts";
import { languageMessage } from "./language/messages.ts";
import { ActionError } from "./page-run.ts";
import type { FileView, ServerMessage } from "./protocol.ts";
import type { Workbench } from "./workbench.ts";

const text = (most: number) => z.string().max(most);
const action = z.strictObject({
  id: text(200),
  hash: text(64),
  entry: z.number().int().min(0).max(1000).default(0),
});
const step = text(200);
const exercise = action.extend({ action: z.enum(["begin", "check", "solution"]) });
const content = { path: text(500), text: text(1_000_000) };
const file = z.strictObject({ ...content, base: text(64), replaces: z.boolean().default(false) });
const draft = z.strictObject({ ...content, version: text(64) });
const place = z.strictObject({ path: text(500), line: z.number().int().min(1).max(10_000_000) });
const terminal = text(40).regex(/^[a-z0-9][a-z0-9-]*$/);
const faultName = z.enum(faults.map(({ name }) => name));

/** What the browser sends over the socket. */
const clientMessage = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("open"), terminal }),
  z.strictObject({ type: z.literal("input"), terminal, data: text(1_000_000), step: step.optional() }),
  z.strictObject({
    ...{ type: z.literal("resize"), terminal },
    columns: z.number().int().min(2).max(1000),
    rows: z.number().int().min(1).max(500),
  }),
  z.strictObject({ type: z.literal("language"), message: languageMessage }),
]);

/** A browser that does not read its output is disconnected. It reads the scrollback when it comes back. */
const mostUnsent = 16_000_000;

export interface CurrentWorkbench {
  /** The open page. Changes when the learner opens another one. */
  current(): Workbench;
  /** Closes the page, and opens another. Throws UserError. */
  open(page: string): Promise<Workbench>;
}

/**
 * Adds the routes of the workbench. A browser names a command by its place on the page and never sends one: only
 * the keys of a terminal reach the shell, over the socket.
 */
export function serveWorkbench(server: UiServer, workbench: CurrentWorkbench): void {
  const bench = (): Workbench => workbench.current();
  server.get("/api/workbench", () => bench().view());
  server.get("/api/file", ({ query }) => shown(() => readFile(bench(), query.get("path") ?? "")));
  server.get("/api/library", async ({ query }) => {
    const text = await bench().language.library.read(Number(query.get("id") ?? ""));
    if (text === undefined)
      throw new UiError(404, "this file is not open any more: go to the definition again");
    return { text };
  });
  server.get("/api/compare", ({ query }) =>
    shown(() => bench().compare({ id: query.get("id") ?? "", hash: query.get("hash") ?? "", entry: 0 })),
  );
  server.post("/api/page", z.strictObject({ name: text(100) }), ({ name }) =>
    shown(async () => (await workbench.open(name)).view()),
  );
  server.post("/api/run", action, (body) => shown(() => bench().run(body)));
  server.post("/api/accept", action, (body) => shown(async () => bench().accept(body)));
  server.post("/api/apply", action, (body) => shown(() => bench().apply(body)));
  server.post("/api/exercise", exercise, ({ action: what, ...name }) =>
    shown(() => bench().exercise(name, what)),
  );
  server.post("/api/check", z.strictObject({ step: step.optional() }), (body) =>
    shown(() => bench().check(body.step)),
  );
  server.post("/api/catch-up", z.strictObject({ step }), (body) => shown(() => bench().catchUp(body.step)));
  server.post("/api/finish", z.strictObject({ step }), (body) =>
    shown(async () => {
      await bench().finish(body.step);
      return { ok: true };
    }),
  );
  server.post("/api/answer", z.strictObject({ question: text(200), text: text(10_000) }), (body) =>
    shown(async () => {
      await bench().answer(body.question, body.text);
      return { ok: true };
    }),
  );
  server.post("/api/file", file, (body) =>
    shown(() => bench().saveFile(body.path, body.text, body.base, body.replaces)),
  );
  server.post("/api/draft", draft, (body) =>
    shown(async () => {
      const { files, drafts } = bench();
      // Throws for a file that the browser may not have.
      files.pathOf(body.path);
      await drafts.write(body);
      return { ok: true };
    }),
  );
  server.post("/api/draft/drop", z.strictObject(content), (body) =>
    shown(async () => ({ kept: await bench().dropDraft(body.path, body.text) })),
  );
  server.post("/api/open-in-editor", place, ({ path, line }) =>
    shown(() => bench().openInEditor(path, line)),
  );
  server.get("/api/notebook", () => bench().notebook());
  server.get("/api/faults", () => bench().faults());
  server.post(
    "/api/fault",
    z.strictObject({ name: faultName, choice: text(200).optional() }),
    ({ name, choice }) => shown(() => bench().cause(name, choice)),
  );
  server.post("/api/fault/end", z.strictObject({}), () =>
    shown(async () => {
      await bench().endFault();
      return { ok: true };
    }),
  );
  server.socket("/api/workbench/socket", (socket) => {
    const send = (message: ServerMessage): void => {
      if (socket.bufferedAmount > mostUnsent) socket.terminate();
      else socket.send(JSON.stringify(message));
    };
    const unsubscribe = bench().subscribe(send);
    const language = bench().language.connect((message) => send({ type: "language", message }));
    send({ type: "alive" });
    const beats = setInterval(() => send({ type: "alive" }), beat);
    socket.on("close", () => {
      clearInterval(beats);
      unsubscribe();
      language.close();
    });
    socket.on("error", () => socket.terminate());
    socket.on("message", (data) => {
      const message = clientMessage.safeParse(parseJson(String(data)));
      if (!message.success) return socket.close(1008, "this message is unknown");
      try {
        receive(message.data, { workbench: bench(), language, send });
      } catch (error) {
        // A thirteenth terminal, or no shell.
        socket.close(1008, error instanceof Error ? error.message.slice(0, 100) : "");
      }
    });
  });
}

interface Receiver {
  readonly workbench: Pick<Workbench, "terminals" | "type">;
  readonly language: LanguageSession;
  send(message: ServerMessage): void;
}

function receive(message: z.infer<typeof clientMessage>, { workbench, language, send }: Receiver): void {
  const { terminals } = workbench;
  switch (message.type) {
    case "open": {
      const data = terminals.open(message.terminal).scrollback();
      send({ type: "scrollback", terminal: message.terminal, data });
      break;
    }
    case "input":
      workbench.type(message.terminal, message.data, message.step);
      break;
    case "resize":
      terminals.find(message.terminal)?.resize(message.columns, message.rows);
      break;
    case "language":
      language.receive(message.message);
  }
}

async function readFile({ files, drafts }: Workbench, path: string): Promise<FileView> {
  const found = await files.read(path);
  const draft = await drafts.read(path);
  return {
    ...{ path, text: found?.text ?? "", version: found?.version ?? "none" },
    ...(draft && { draft: { text: draft.text, version: draft.version } }),
  };
}

/** Gives the browser the messages of errors that are for the learner. */
async function shown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new UiError(error.status, error.message);
    if (error instanceof ActionError || error instanceof UserError) throw new UiError(409, error.message);
    throw error;
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
