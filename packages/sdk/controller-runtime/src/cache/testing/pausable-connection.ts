import { type Client, createClientOn } from "@operator-path/client";

export interface PausableConnection {
  readonly connection: Client;
  /** Holds back everything that watches deliver from now on. */
  hold(): void;
  /** Delivers everything paused back, and what follows. */
  release(): void;
  /** Delivers the first paused chunk: what the server sent in one write. */
  releaseOne(): void;
  /** Requests that were sent, for example "GET /api/v1/pods". */
  readonly requests: string[];
}

/** Returns a connection whose watches can be paused back, as a slow server or network would do. */
export function createPausableConnection(inner: Client): PausableConnection {
  let paused = Promise.resolve();
  let release = () => {};
  const requests: string[] = [];

  function hold(): void {
    paused = new Promise((resolve) => {
      release = resolve;
    });
  }

  async function* delayed(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const aborted = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    for await (const chunk of body) {
      await Promise.race([paused, aborted]);
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
