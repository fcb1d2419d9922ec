/** An entry at the DNS provider. `owner` is a tag that the provider stores and searches by. */
export interface Entry {
  readonly id: string;
  readonly owner: string;
  readonly host: string;
  readonly address: string;
}

/** The provider's HTTP API. All of its methods reject with DnsError when the provider refuses. */
export interface DnsApi {
  /** Resolves with undefined when there is no such entry. */
  get(id: string, signal: AbortSignal): Promise<Entry | undefined>;
  findByOwner(owner: string, signal: AbortSignal): Promise<Entry | undefined>;
  create(entry: Omit<Entry, "id">, signal: AbortSignal): Promise<Entry>;
  update(entry: Entry, signal: AbortSignal): Promise<Entry>;
  /** Also resolves when there is no such entry. */
  remove(id: string, signal: AbortSignal): Promise<void>;
}

/** A request that the provider did not answer, or answered with a failure. */
export class DnsError extends Error {
  /** Of the answer. Undefined when there was none. */
  readonly status: number | undefined;
  /** Milliseconds that the provider asks for before the next request. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { status, retryAfter, cause }: Partial<DnsError> = {}) {
    super(message, { cause });
    this.name = "DnsError";
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The provider rejects the request itself, so the same request would fail again. */
  get isPermanent(): boolean {
    return this.status === 400 || this.status === 422;
  }
}

/** Returns a client of the provider at this URL. */
export function createDnsApi(url: string): DnsApi {
  async function send<T>(method: string, path: string, signal: AbortSignal, body?: unknown): Promise<T> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        // Without a deadline a provider that never answers would occupy the worker forever.
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text) as T;
      const { status, headers } = response;
      const retryAfter = Number(headers.get("retry-after")) * 1000;
      throw new DnsError(`${method} ${path}: the provider answered ${status}: ${text}`, {
        status,
        retryAfter,
      });
    } catch (cause) {
      if (cause instanceof DnsError) throw cause;
      // A reconcile that must stop is not a failure of the provider.
      signal.throwIfAborted();
      throw new DnsError(`${method} ${path}: no answer from the provider: ${String(cause)}`, { cause });
    }
  }
  return {
    get: (id, signal) => send<Entry>("GET", `/entries/${id}`, signal).catch(ignoreMissing),
    async findByOwner(owner, signal) {
      const query = `owner=${encodeURIComponent(owner)}`;
      const [entry] = await send<Entry[]>("GET", `/entries?${query}`, signal);
      return entry;
    },
    create: (entry, signal) => send<Entry>("POST", "/entries", signal, entry),
    update: (entry, signal) => send<Entry>("PUT", `/entries/${entry.id}`, signal, entry),
    async remove(id, signal) {
      await send("DELETE", `/entries/${id}`, signal).catch(ignoreMissing);
    },
  };
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof DnsError && error.status === 404)) throw error;
}
