import { request } from "node:http";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { createUiServer, type UiServer, type UiServerOptions } from "../create-ui-server.ts";
import type { WebBundle } from "../web-bundle.ts";

/** A bundle without a build. */
export const smallBundle: WebBundle = {
  files: new Map([["/assets/main.js", { type: "text/javascript", body: Buffer.from("// main") }]]),
  script: "/assets/main.js",
  styles: [],
  preload: [],
};

export function startServer(options: Partial<UiServerOptions> = {}): Promise<UiServer> {
  return createUiServer({ bundle: smallBundle, title: "Test <page>", log: () => {}, ...options });
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  /** As it goes over the wire. `fetch` would normalize it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** Sends a request with exactly these headers. */
export function ask(server: UiServer, { method = "GET", path, headers = {}, body }: Asked): Promise<Answer> {
  const { port } = new URL(server.origin);
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers: given as Record<string, string>, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends raw bytes, and resolves with the status line of the answer, or "" if the connection closes. */
export function askRaw(server: UiServer, bytes: string): Promise<string> {
  const { port } = new URL(server.origin);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text.split("\r\n")[0] ?? ""));
  });
}

/** A browser with a session. */
export interface Session {
  readonly cookie: string;
  /** Headers of a mutation that the server's own page sends. */
  readonly mutation: Readonly<Record<string, string>>;
}

/** Opens a URL with a token, as a browser does, and reads the page. */
export async function openSession(server: UiServer, url = server.url): Promise<Session> {
  const { pathname, search } = new URL(url);
  const first = await ask(server, { path: pathname + search });
  const cookie = String(first.headers["set-cookie"]).split(";")[0] ?? "";
  const page = await ask(server, { path: String(first.headers.location), headers: { cookie } });
  const csrf = /name="csrf-token" content="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const mutation = {
    cookie,
    origin: server.origin,
    "x-csrf-token": csrf,
    "content-type": "application/json",
  };
  return { cookie, mutation };
}

/** Opens a WebSocket. Resolves with "open", or with the status of the refusal. */
export function openSocket(
  server: UiServer,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<"open" | number> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}${path}`, {
    headers: given as Record<string, string>,
  });
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.terminate();
      resolve("open");
    });
    socket.on("unexpected-response", (_request, response) => {
      socket.on("error", () => {});
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
}
