import {
  apiVersionOf,
  type Client,
  createLineSplitter,
  isForbidden,
  type KubeObject,
  type Status,
} from "@operator-path/client";
import { createListWatch } from "@operator-path/informers";
import { withoutSecrets } from "./object-view.ts";
import type { WatchedResource } from "./watched-resources.ts";

/** A write that the API server still remembers. */
export interface PastWrite {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** With managedFields. For DELETED, as it was before. */
  readonly object: KubeObject;
  readonly revision: number;
}

export interface Past {
  /** Writes after this resourceVersion are complete. */
  readonly since: number;
  /** In the order of their resourceVersions. */
  readonly writes: readonly PastWrite[];
}

export interface PastOptions {
  readonly client: Client;
  readonly resources: readonly WatchedResource[];
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** The newest resourceVersion that is known. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Bytes of the writes to one kind. Of a busy kind, only the last part of its past is read. */
const mostBytes = 4 << 20;
const mostAttempts = 8;

/**
 * Reads the writes that the API server still remembers: a watch from an old resourceVersion begins with them. A
 * kube-apiserver and the embedded one keep them for at least five minutes. Takes a second.
 *
 * @returns the writes since the moment from which those to every kind are complete
 */
export async function readPast(options: PastOptions): Promise<Past> {
  const { resources, namespaces } = options;
  const pasts = await Promise.all(
    resources.flatMap((resource) =>
      (namespaces.length > 0 ? namespaces : [undefined]).map((namespace) =>
        readWrites(resource, namespace, options),
      ),
    ),
  );
  const since = Math.max(0, ...pasts.map((past) => past.since));
  const writes = pasts.flatMap((past) => past.writes).filter(({ revision }) => revision > since);
  return { since, writes: writes.sort((a, b) => a.revision - b.revision) };
}

async function readWrites(
  { resource, metadataOnly }: WatchedResource,
  namespace: string | undefined,
  { client, now, signal }: PastOptions,
): Promise<Past> {
  const source = createListWatch(client, resource, { ...(namespace && { namespace }), metadataOnly });
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  let since = 1;
  for (let attempt = 0; attempt < mostAttempts && since < now; attempt++)
    try {
      const writes = await readSince(since);
      if (writes) return { since, writes };
      // Too many bytes: try the later half.
      since = Math.ceil((since + now) / 2);
    } catch (error) {
      signal.throwIfAborted();
      // A kind that is not shown has no past either.
      if (isForbidden(error)) return { since: 0, writes: [] };
      const oldest = oldestOf(error);
      if (oldest === undefined || oldest <= since) break;
      since = oldest;
    }
  return { since: now, writes: [] };

  /** @returns undefined if there is too much */
  async function readSince(from: number): Promise<PastWrite[] | undefined> {
    const writes: PastWrite[] = [];
    const lines = createLineSplitter((line) => {
      const write = writeOf(JSON.parse(Buffer.from(line).toString("utf8")) as WatchEvent);
      // Objects that were requested as metadata only have another type on the wire.
      if (write) writes.push({ ...write, object: withoutSecrets({ ...write.object, ...type }) });
    });
    let bytes = 0;
    for await (const chunk of await source.watch({ resourceVersion: `${from}`, timeoutSeconds: 1 }, signal)) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) return undefined;
      lines.push(chunk);
    }
    return writes;
  }
}

interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject | Status;
}

/** @throws Error with the message of an ERROR event */
function writeOf({ type, object }: WatchEvent): PastWrite | undefined {
  if (type === "ERROR") throw new Error((object as Status).message);
  if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") return undefined;
  const of = object as KubeObject;
  return { type, object: of, revision: Number(of.metadata?.resourceVersion) };
}

/** Returns the oldest resourceVersion from which a server can watch, if its error names it. */
function oldestOf(error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, oldest] = /too old resource version: \d+ \((\d+)\)/.exec(message) ?? [];
  return oldest === undefined ? undefined : Number(oldest);
}
