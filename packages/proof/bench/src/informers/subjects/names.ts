import type { StartSubject } from "./subject.ts";

/** The subjects by their names for `--only`. Each loads only its own code. */
export const nodeSubjects: Record<string, () => Promise<StartSubject>> = {
  parsed: async () =>
    (await import("./ours.ts")).ours({ store: "parsed", watchList: true, handler: "changed" }),
  lazy: async () => (await import("./ours.ts")).ours({ store: "lazy", watchList: true, handler: "changed" }),
  "parsed-list": async () =>
    (await import("./ours.ts")).ours({ store: "parsed", watchList: false, handler: "changed" }),
  "lazy-list": async () =>
    (await import("./ours.ts")).ours({ store: "lazy", watchList: false, handler: "changed" }),
  "lazy-cold": async () =>
    (await import("./ours.ts")).ours({ store: "lazy", watchList: true, handler: "changed", coldAfterMs: 0 }),
  "parsed-objects": async () =>
    (await import("./ours.ts")).ours({ store: "parsed", watchList: true, handler: "objects" }),
  "lazy-objects": async () =>
    (await import("./ours.ts")).ours({ store: "lazy", watchList: true, handler: "objects" }),
  metadata: async () =>
    (await import("./ours.ts")).ours({ store: "metadata", watchList: true, handler: "changed" }),
  "client-node": async () => (await import("./client-node.ts")).clientNode(),
  "client-node-500": async () => (await import("./client-node.ts")).clientNode(500),
  fluent: async () => (await import("./fluent-client.ts")).fluentClient,
  floor: async () => (await import("./floor.ts")).floor,
};

/** The modes of `peers/client-go`. Its default, WatchList, is slower over JSON than its list. */
export const goSubjects: readonly string[] = ["client-go", "client-go-watchlist"];

/** Their names in tables. */
export const titles: Record<string, string> = {
  parsed: "ours, parsed",
  lazy: "ours, lazy",
  "lazy-cold": "ours, lazy, untouched for a while",
  "parsed-list": "ours, parsed, paged list",
  "lazy-list": "ours, lazy, paged list",
  "parsed-objects": "ours, parsed, handler `updated`",
  "lazy-objects": "ours, lazy, handler `updated`",
  metadata: "ours, metadata",
  "client-node": "client-node",
  "client-node-500": "client-node, limit=500",
  fluent: "kubernetes-fluent-client",
  "client-go": "client-go, list",
  "client-go-watchlist": "client-go, WatchList",
  floor: "floor: lines split, no informer",
};
