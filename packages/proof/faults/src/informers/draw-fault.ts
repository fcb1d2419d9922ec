import type { Random } from "../random.ts";
import type { Fault, Target } from "../transport/fault.ts";

/** A fault for one request, or for several in a row. */
export function drawFault(random: Random): { on: Target; fault: Fault; times?: number } {
  const committed = random.chance(0.5);
  const afterLines = random.pick([0, 0, 1, 2, 4]);
  const [on, fault] = random.weighted<readonly [Target, Fault]>([
    [3, ["any", { kind: "status", code: random.pick([500, 503, 504]) }]],
    [2, ["any", { kind: "status", code: 429, retryAfter: random.pick([1, 5, 40, 120]) }]],
    [1, ["any", { kind: "status", code: 503, retryAfter: random.pick([2, 60]) }]],
    [2, ["write", { kind: "status", code: 409 }]],
    [3, [random.pick(["list", "watch"]), { kind: "status", code: 410 }]],
    [1, ["any", { kind: "status", code: 403 }]],
    [2, ["any", { kind: "too large" }]],
    [2, ["any", { kind: "html", code: random.pick([200, 502, 503]) }]],
    [2, ["any", { kind: "refused" }]],
    [3, ["any", { kind: "reset", committed }]],
    [2, ["any", { kind: "silent", committed }]],
    [3, ["any", { kind: "late", before: random.int(0, 3_000), after: random.int(0, 3_000) }]],
    [2, ["list", { kind: "stale" }]],
    [2, ["list", { kind: "half", share: random.next(), how: random.pick(["reset", "close"]) }]],
    [
      6,
      [
        "watch",
        { kind: "cut", afterLines, share: random.next(), how: random.pick(["reset", "close", "silence"]) },
      ],
    ],
    [4, ["watch", { kind: "brief", ms: random.pick([0, 0, 1, 500]), how: random.pick(["reset", "close"]) }]],
    [3, ["watch", { kind: "twice", lines: random.int(1, 6) }]],
    [3, ["watch", { kind: "old", lines: random.int(1, 10) }]],
    [3, ["watch", { kind: "error event", afterLines, code: random.pick([410, 410, 410, 429, 500, 504]) }]],
    [1, ["watch", { kind: "garbage", afterLines, text: random.pick(garbage) }]],
  ]);
  // Once is nothing: a proxy that cuts streams short cuts all of them.
  const times =
    fault.kind === "brief"
      ? random.pick([1, 3, 12, 40])
      : random.weighted([
          [8, 1],
          [2, random.int(2, 6)],
          [1, random.int(6, 30)],
        ]);
  return { on, fault, ...(times > 1 ? { times } : {}) };
}

const garbage = [
  "<html>502 Bad Gateway</html>\n",
  "{}\n",
  "null\n",
  '{"type":"ADDED"}\n',
  '{"type":"SURPRISE","object":{"metadata":{"name":"x","resourceVersion":"1"}}}\n',
  '{"type":"MODIFIED","object":{"metadata":{"name":"cut\n',
  "\u0000\u0000\u0000\n",
];
