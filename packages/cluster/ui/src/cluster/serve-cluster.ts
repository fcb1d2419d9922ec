import { type Client, type Clock, logBytes, type Pod, systemClock } from "@operator-path/client";
import type { UiRequest, UiServer } from "../server/create-ui-server.ts";
import { streamReply, UiError } from "../server/reply.ts";
import { yamlLines } from "./object-yaml.ts";
import type { ClusterModel } from "./open-cluster-model.ts";
import { beat, type ClusterMessage, type ObjectText, type Snapshot, type TimelineEntry } from "./wire.ts";

export interface ServeClusterOptions {
  readonly model: ClusterModel;
  /** Reads the logs of Pods. */
  readonly client: Client;
  readonly clock?: Clock;
}

/** Milliseconds between two messages of a socket: a frame of the browser. */
const frame = 16;
/** A browser with more bytes than this on the way receives a snapshot later, instead of all entries. */
const mostBuffered = 1 << 20;
const mostEntries = 2000;

/**
 * Adds the routes of the cluster's view to a server. All of them only read.
 *
 * - `/api/cluster/changes`: a WebSocket with a snapshot, then the entries of the time line, and a beat each second
 * - `/api/cluster/object?uid=…&seq=…`: an object as YAML, with its last change marked
 * - `/api/cluster/events?uid=…`: the Events of an object
 * - `/api/cluster/containers?uid=…`: the names of a Pod's containers
 * - `/api/cluster/logs?uid=…&container=…`: a container's log as it grows; `previous=1` is the log before a restart
 */
export function serveCluster(
  server: UiServer,
  { model, client, clock = systemClock }: ServeClusterOptions,
): void {
  server.get("/api/cluster/object", (request) => objectText(request));
  server.get("/api/cluster/events", ({ query }) => model.eventsOf(query.get("uid") ?? ""));
  server.get("/api/cluster/containers", ({ query }) => containersOf(query.get("uid") ?? ""));
  server.get("/api/cluster/logs", (request) => podLog(request));
  server.socket("/api/cluster/changes", (socket, { signal }) => {
    let waiting: TimelineEntry[] = [];
    let timer: unknown;
    /** The browser needs a snapshot, because it has missed entries or has none yet. */
    let isBehind = true;
    let lastState = "";
    const send = (message: ClusterMessage) => socket.send(JSON.stringify(message));

    function flush(): void {
      timer = undefined;
      if (signal.aborted) return;
      if (waiting.length > mostEntries || socket.bufferedAmount > mostBuffered) isBehind = true;
      const entries = waiting;
      waiting = [];
      if (isBehind && socket.bufferedAmount > mostBuffered) {
        schedule();
        return;
      }
      if (isBehind) send(snapshot());
      else if (entries.length > 0) send({ type: "entries", now: clock.now(), entries });
      isBehind = false;
    }
    function schedule(): void {
      timer ??= clock.setTimeout(flush, frame);
    }
    /** Problems of watches come and go without entries. */
    function checkState(): void {
      if (signal.aborted) return;
      const state = { synced: model.synced(), kinds: model.kinds() };
      const text = JSON.stringify(state);
      if (text !== lastState && lastState !== "") send({ type: "state", ...state });
      else if (socket.bufferedAmount <= mostBuffered) send({ type: "alive" });
      lastState = text;
      stateTimer = clock.setTimeout(checkState, beat);
    }
    let stateTimer: unknown = clock.setTimeout(checkState, beat);
    const unsubscribe = model.subscribe({
      entry(entry) {
        // A browser that gets a snapshot needs no entries, and one that does not read must not fill memory.
        if (!isBehind) waiting.push(entry);
        if (waiting.length > mostEntries) {
          waiting = [];
          isBehind = true;
        }
        schedule();
      },
      reset() {
        isBehind = true;
        schedule();
      },
    });
    signal.addEventListener("abort", () => {
      unsubscribe();
      clock.clearTimeout(timer);
      clock.clearTimeout(stateTimer);
    });
    flush();
  });

  function snapshot(): Snapshot {
    const { history } = model;
    return {
      ...{ type: "snapshot", cluster: model.cluster, now: clock.now() },
      ...{ synced: model.synced(), kinds: model.kinds() },
      ...{ base: history.base(), entries: history.entries },
    };
  }

  function objectText({ query }: UiRequest): ObjectText {
    const seq = query.get("seq");
    const found = model.versionOf(query.get("uid") ?? "", seq === null ? undefined : Number(seq));
    if (!found) throw new UiError(404, "the history no longer has this object");
    const lines = yamlLines(found.object, found.before);
    if (!found.entry) return { lines };
    const { seq: at, by, text, type, at: time } = found.entry;
    return { lines, change: { seq: at, at: time, by, text, type } };
  }

  function containersOf(uid: string): string[] {
    const { spec } = (model.versionOf(uid)?.object ?? {}) as Pod;
    const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
    return [...containers, ...ephemeralContainers, ...initContainers].map(({ name }) => name);
  }

  function podLog({ query, signal }: UiRequest): unknown {
    const pod = model.history.now.get(query.get("uid") ?? "");
    if (pod?.kind !== "Pod") throw new UiError(404, "this Pod does not exist now");
    const { namespace, name } = pod;
    const container = query.get("container") ?? undefined;
    const previous = query.has("previous");
    const options = { signal, tailLines: 500, follow: !previous, previous };
    const bytes = logBytes(client, { namespace, name, ...(container && { container }) }, options);
    return streamReply(withReason(bytes, signal));
  }
}

/** Ends a log with the reason, if the server refuses it. Its headers have been sent by then. */
async function* withReason(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* bytes;
  } catch (error) {
    if (!signal.aborted) yield Buffer.from(`${error instanceof Error ? error.message : error}\n`);
  }
}
