import type { StartSubject } from "./subject.ts";

/** What is measured, by the name that `--only` knows. Each loads nothing but itself. */
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

/** Those of `peers/client-go`. Its own default, WatchList, is slower over JSON than its list. */
export const goSubjects: readonly string[] = ["client-go", "client-go-watchlist"];

/** As tables call them. */
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
