/** What the server sends to the view, as JSON. Times are in milliseconds since the epoch. */

/** How an object is. The word says it; the tone chooses colour and shape. */
export type Tone = "ok" | "busy" | "bad" | "idle" | "ending";

export interface ObjectStatus {
  readonly tone: Tone;
  /** As kubectl would say it: "Running", "CrashLoopBackOff". "" if the object has no status. */
  readonly word: string;
  /** What else a glance should show: "2/3 ready", "4 restarts". */
  readonly detail: string;
}

export interface Owner {
  readonly uid: string;
  readonly controller: boolean;
}

/** An object in the graph. */
export interface ObjectView {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** "" for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly created: number;
  readonly owners: readonly Owner[];
  readonly status: ObjectStatus;
}

/** One entry of the time line. Sequence numbers grow by one. */
export interface TimelineEntry {
  readonly seq: number;
  readonly at: number;
  /**
   * The object: as it was before a deletion, otherwise as it is after the change. A controller that started has no
   * UID.
   */
  readonly uid: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly type: "added" | "updated" | "deleted" | "event" | "started" | "reconcile" | "fault";
  /**
   * The field manager that wrote the change, the source of an Event, the controller, or the client that noticed a
   * fault. "" if unknown.
   */
  readonly by: string;
  /** What has changed: "status.phase: Pending → Running". */
  readonly text: string;
  /** For added and updated: the object after the change. */
  readonly view?: ObjectView;
  /** For an Event: Normal or Warning. For a reconcile: whether it failed. For a fault: false when it is over. */
  readonly warning?: boolean;
  /** For an Event: how often it had occurred by then. */
  readonly count?: number;
  /** For updated: true if nothing but the time of a heartbeat has changed. */
  readonly heartbeat?: true;
  /** For a reconcile. */
  readonly reconcile?: ReconcileView;
}

/** A reconcile. Its entry has the time of its end. */
export interface ReconcileView {
  /** Why the controller reconciled: "Pod shop/web changed", "backoff". */
  readonly trigger: string;
  /** In milliseconds. Undefined while only the start is known. */
  readonly duration?: number;
  /** success, requeue, requeue_after, error or terminal_error. */
  readonly result?: string;
}

/** A kind that the view watches. */
export interface KindState {
  readonly kind: string;
  readonly group: string;
  /** Why its objects are missing or old, if they are. */
  readonly problem?: string;
}

/** Everything that a page needs to begin with. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly cluster: ClusterName;
  /** The server's clock, for a browser whose own differs. */
  readonly now: number;
  /** Whether every kind has been listed. */
  readonly synced: boolean;
  readonly kinds: readonly KindState[];
  /** The cluster before the first entry. */
  readonly base: readonly ObjectView[];
  readonly entries: readonly TimelineEntry[];
}

export interface ClusterName {
  readonly context: string;
  readonly server: string;
  /** Empty: all. */
  readonly namespaces: readonly string[];
}

/** Milliseconds within which a socket sends something, so that a browser notices a server that hangs. */
export const beat = 1000;

/** What the socket sends: a snapshot first, then entries as they come. */
export type ClusterMessage =
  | Snapshot
  | { readonly type: "alive" }
  | { readonly type: "entries"; readonly now: number; readonly entries: readonly TimelineEntry[] }
  | { readonly type: "state"; readonly synced: boolean; readonly kinds: readonly KindState[] };

/** A line of an object's YAML. */
export interface YamlLine {
  readonly text: string;
  /** Whether the object's last change added or removed the line. */
  readonly mark?: "added" | "removed";
}

/** An object as YAML, at a moment. */
export interface ObjectText {
  readonly lines: readonly YamlLine[];
  /** The last change, if it is in the history. */
  readonly change?: Pick<TimelineEntry, "seq" | "at" | "by" | "text" | "type">;
}

/** An Event of an object. */
export interface EventView {
  readonly at: number;
  readonly warning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly count: number;
}
