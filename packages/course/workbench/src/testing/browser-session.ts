import type { UiServer } from "@operator-path/ui";
import { WebSocket } from "ws";
import type { ServerMessage } from "../protocol.ts";

/** A browser with a session: it has the cookie, and the CSRF token of the page. */
export interface BrowserSession {
  readonly cookie: string;
  get(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  post(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Opens the socket of the workbench. */
  connect(): Promise<TestSocket>;
}

export interface TestSocket {
  readonly messages: ServerMessage[];
  send(message: unknown): void;
  /** Resolves with the code when the server closes it. */
  readonly closed: Promise<number>;
  close(): void;
}

/** Opens the server's URL as a browser does. */
export async function openBrowserSession({
  origin,
  createUrl,
}: Pick<UiServer, "origin" | "createUrl">): Promise<BrowserSession> {
  const first = await fetch(createUrl(), { redirect: "manual" });
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const page = await (await fetch(`${origin}/`, { headers: { cookie } })).text();
  const csrf = /name="csrf-token" content="([^"]+)"/.exec(page)?.[1] ?? "";
  const answerOf = async (response: Response) => ({
    status: response.status,
    body: (await response.json()) as unknown,
  });
  return {
    cookie,
    get: async (path) => answerOf(await fetch(origin + path, { headers: { cookie } })),
    post: async (path, body, headers = {}) =>
      answerOf(
        await fetch(origin + path, {
          method: "POST",
          headers: {
            ...{ cookie, origin, "x-csrf-token": csrf, "content-type": "application/json" },
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      ),
    connect: () => openTestSocket({ origin }, { cookie, origin }),
  };
}

/** Opens the socket of the workbench with these headers. Rejects if the server refuses it. */
export async function openTestSocket(
  server: Pick<UiServer, "origin">,
  headers: Readonly<Record<string, string>>,
): Promise<TestSocket> {
  const url = `${server.origin.replace("http", "ws")}/api/workbench/socket`;
  const socket = new WebSocket(url, { headers });
  const messages: ServerMessage[] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data)) as ServerMessage));
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  return {
    messages,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    close: () => socket.terminate(),
  };
}
