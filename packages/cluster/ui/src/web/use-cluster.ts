import { useEffect, useState } from "preact/hooks";
import { createHistory, type History } from "../cluster/history.ts";
import type { ClusterMessage, ClusterName, KindState, Snapshot } from "../cluster/wire.ts";
import { socketUrl } from "./api.ts";

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
const patience = { first: 500, most: 2000 } as const;

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
  let socket: WebSocket | undefined;
  let frame = 0;
  let retry = 0;
  let delay: number = patience.first;
  let ended = false;

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
    } else {
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

  function connect(): void {
    socket = new WebSocket(socketUrl(path));
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      delay = patience.first;
      receive(JSON.parse(data) as ClusterMessage);
    };
    socket.onclose = () => {
      if (ended) return;
      update({ connection: "lost" });
      retry = window.setTimeout(connect, delay);
      delay = Math.min(2 * delay, patience.most);
    };
  }

  connect();
  return () => {
    ended = true;
    cancelAnimationFrame(frame);
    clearTimeout(retry);
    socket?.close();
  };
}
