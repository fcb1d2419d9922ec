import { type Client, createClientOn } from "@operator-path/client";

export interface HeldConnection {
  readonly connection: Client;
  /** From here on nothing arrives of what watches bring. */
  hold(): void;
  /** All of it, and what comes. */
  release(): void;
  /** What was held up first: as much as the server sent at once. */
  releaseOne(): void;
  /** Requests that were sent: "GET /api/v1/pods". */
  readonly requests: string[];
}

/** A connection whose watches can be held up, as by a server or a network that lags behind. */
export function createHeldConnection(inner: Client): HeldConnection {
  let held = Promise.resolve();
  let release = () => {};
  const requests: string[] = [];

  function hold(): void {
    held = new Promise((resolve) => {
      release = resolve;
    });
  }

  async function* delayed(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const aborted = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    for await (const chunk of body) {
      await Promise.race([held, aborted]);
      signal?.throwIfAborted();
      yield chunk;
    }
  }

  const connection = createClientOn({
    request(request) {
      requests.push(`${request.method} ${request.path}`);
      return inner.request(request);
    },
    async stream(request) {
      requests.push(`WATCH ${request.path}`);
      const response = await inner.stream(request);
      return { ...response, body: delayed(response.body, request.signal) };
    },
    close: () => inner.close(),
  });
  return {
    connection,
    requests,
    hold,
    release: () => release(),
    releaseOne() {
      const next = release;
      hold();
      next();
    },
  };
}
