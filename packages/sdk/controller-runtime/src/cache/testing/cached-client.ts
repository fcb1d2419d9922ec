import { startApiServer } from "@operator-path/apiserver";
import { type Client as Connection, createClient, namespaces, type Resource } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { onTestFinished } from "vitest";
import type { Client } from "../../client/client.ts";
import { createObjectClient, type ObjectClientOptions } from "../../client/create-client.ts";
import type { Cache } from "../cache.ts";
import { createCache } from "../create-cache.ts";
import type { CacheOptions } from "../options.ts";
import { createPausableConnection, type PausableConnection } from "./pausable-connection.ts";

export interface CachedClient extends PausableConnection {
  readonly cache: Cache;
  /** Reads from the cache. */
  readonly client: Client;
  /** Bypasses the cache, the pausing and the request log. */
  readonly direct: Client;
  readonly directConnection: Connection;
  readonly clock: FakeClock;
  /** Lines that the cache has logged. */
  readonly log: string[];
  start(): void;
  /** Resolves when the cache has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a cache and a client that reads from it, over an API server of its own with the namespaces a and b.
 */
export async function startCachedClient(
  options: CacheOptions = {},
  clientOptions: Omit<ObjectClientOptions, "cache"> & { disableFor?: readonly Resource[] } = {},
): Promise<CachedClient> {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const directConnection = createClient(server.kubeConfig());
  onTestFinished(() => directConnection.close());
  for (const name of ["a", "b"]) await directConnection.resource(namespaces).create({ metadata: { name } });
  const clock = createFakeClock();
  const log: string[] = [];
  const pausable = createPausableConnection(directConnection);
  const cache = createCache(pausable.connection, {
    clock,
    random: () => 0.5,
    log: (line) => log.push(line),
    ...options,
  });
  const { disableFor = [], ...defaults } = clientOptions;
  const stop = new AbortController();
  let run: Promise<void> | undefined;
  async function end(): Promise<void> {
    stop.abort(new Error("the test is over"));
    await run;
  }
  onTestFinished(end);
  return {
    ...pausable,
    cache,
    client: createObjectClient(pausable.connection, { ...defaults, cache: { reader: cache, disableFor } }),
    direct: createObjectClient(directConnection),
    directConnection,
    clock,
    log,
    start() {
      run = cache.start(stop.signal);
    },
    stop: end,
  };
}

/** Returns whether a promise is still pending after the time that a request takes. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  promise.then(
    () => {
      pending = false;
    },
    () => {
      pending = false;
    },
  );
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return pending;
}
