import { useEffect, useState } from "preact/hooks";
import { createHistory, type History } from "../cluster/history.ts";
import type { ClusterMessage, ClusterName, KindState, Snapshot } from "../cluster/wire.ts";
import { socketUrl } from "./api.ts";
import { browserClock, keepConnected } from "./keep-connected.ts";

/** What the page knows of the cluster. A new object for each frame in which something changed. */
export interface ClusterState {
  readonly connection: "connecting" | "live" | "lost";
  readonly cluster: ClusterName | undefined;
  readonly synced: boolean;
  readonly kinds: readonly KindState[];
  readonly history: History;
  /** Milliseconds to add to this browser's clock to get the server's. */
  readonly clockOffset: number;
}

const limit = 5000;

/** Follows the cluster of this page's server, and reconnects. */
export function useCluster(path = "/api/cluster/changes"): ClusterState {
  const [state, setState] = useState<ClusterState>(() => ({
    ...{ connection: "connecting", cluster: undefined, synced: false, kinds: [] },
    ...{ history: createHistory(limit), clockOffset: 0 },
  }));
  useEffect(() => follow(path, setState, state), [path]);
  return state;
}

function follow(path: string, show: (state: ClusterState) => void, initial: ClusterState): () => void {
  let state = initial;
  let frame = 0;

  /** However many messages arrive, the page is drawn once per frame. */
  function update(change: Partial<ClusterState>): void {
    state = { ...state, ...change };
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      show(state);
    });
  }

  function receive(message: ClusterMessage): void {
    if (message.type === "snapshot") {
      receiveSnapshot(message);
    } else if (message.type === "state") {
      update({ synced: message.synced, kinds: message.kinds });
    } else if (message.type === "entries") {
      for (const entry of message.entries) state.history.push(entry);
      update({ clockOffset: message.now - Date.now() });
    }
  }

  function receiveSnapshot(message: Snapshot): void {
    const { cluster, synced, kinds } = message;
    const history = createHistory(limit, message.base);
    for (const entry of message.entries) history.push(entry);
    const clockOffset = message.now - Date.now();
    update({ cluster, synced, kinds, history, clockOffset, connection: "live" });
  }

  const disconnect = keepConnected({
    clock: browserClock,
    open: () => new WebSocket(socketUrl(path)),
    onMessage: (text) => receive(JSON.parse(text) as ClusterMessage),
    onLost: () => update({ connection: "lost" }),
  });
  return () => {
    cancelAnimationFrame(frame);
    disconnect();
  };
}
