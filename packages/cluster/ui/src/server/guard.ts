import type { IncomingHttpHeaders } from "node:http";
import { UiError } from "./reply.ts";
import type { Sessions } from "./sessions.ts";

/** Decides which requests may reach a route. Every check throws a UiError. */
export interface Guard {
  /** Throws unless the Host header names this server. A page that rebinds its DNS name has another Host. */
  checkHost(headers: IncomingHttpHeaders): void;
  /** Throws unless the browser has a session. */
  checkSession(headers: IncomingHttpHeaders): void;
  /** Throws if another page, even of another port of this host, asks for something other than the document. */
  checkSite(headers: IncomingHttpHeaders): void;
  /** Throws unless a page of this server sends the request: for mutations and WebSockets. */
  checkOrigin(headers: IncomingHttpHeaders): void;
  /** Throws unless the request has the CSRF token, which only this server's page contains. */
  checkCsrf(headers: IncomingHttpHeaders): void;
}

export function createGuard(port: number, sessions: Sessions, csrfToken: string): Guard {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    checkHost({ host }) {
      if (host === undefined || !hosts.includes(host))
        throw new UiError(421, `this server is ${hosts.join(" or ")}, not ${JSON.stringify(host ?? "")}`);
    },
    checkSession({ cookie }) {
      if (!sessions.has(cookie))
        throw new UiError(
          401,
          "this browser has no session: open the URL that the command printed. Each URL works once",
        );
    },
    checkSite({ "sec-fetch-site": site }) {
      if (site === "cross-site" || site === "same-site")
        throw new UiError(403, "another site's page may not request this");
    },
    checkOrigin({ host, origin }) {
      if (origin !== `http://${host}`)
        throw new UiError(403, `the Origin header must be http://${host}: open the page there`);
    },
    checkCsrf(headers) {
      if (headers["x-csrf-token"] !== csrfToken)
        throw new UiError(403, "the x-csrf-token header is missing or old: reload the page");
    },
  };
}
