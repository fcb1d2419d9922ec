import type { ActivityRecord } from "@operator-path/cluster";
import { expect, test } from "vitest";
import { checkRest, type RestOptions } from "./rest.ts";

const quiet = { reconciles: 0, writes: 0, requests: 0 };
type RequestRecord = Extract<ActivityRecord, { type: "request" }>;

/** Checks a cluster. `happen` is called at each list, and may record activity. */
function check(
  happen: (record: (...records: ActivityRecord[]) => void) => void,
  options: Partial<RestOptions> = {},
) {
  const records: ActivityRecord[] = [];
  return checkRest({
    ...{ window: 5, patience: 0, allowed: quiet, signal: new AbortController().signal },
    async versions() {
      happen((...more) => void records.push(...more));
      return new Map();
    },
    activity: () => records,
    ...options,
  });
}

function request(more: Partial<RequestRecord> = {}): RequestRecord {
  const pods = { method: "GET", path: "/api/v1/pods", query: "", client: "admin web-operator" };
  return { at: Date.now(), type: "request", ...pods, ...more };
}

function reconcile(at = Date.now(), queue = "web"): ActivityRecord {
  return { at, type: "reconcile", process: "7", queue, key: "default/a" };
}

test("resolves to no lines if nothing happens", async () => {
  expect(await check(() => {})).toEqual([]);
});

test("waits while the cluster settles", async () => {
  let left = 3;
  const restless = await check((record) => left-- > 0 && record(reconcile()), { patience: 60_000 });
  expect(restless).toEqual([]);
  expect(left).toBeLessThan(0);
});

test("names the controller or the process whose key is reconciled", async () => {
  const restless = await check((record) => record(reconcile(), reconcile(Date.now(), "")));
  expect(restless).toEqual([
    expect.stringMatching(/^controller web reconciled default\/a once in /),
    expect.stringMatching(/^process 7 reconciled default\/a once in /),
  ]);
});

test("accepts rates that are declared", async () => {
  const allowed = { reconciles: 10_000, writes: 0, requests: 10_000 };
  expect(await check((record) => record(reconcile(), request()), { allowed })).toEqual([]);
});

test("names the client of a request, but ignores kubectl, the run and renewed Leases", async () => {
  const restless = await check((record) =>
    record(
      request(),
      request({ client: "admin kubectl/v1.36.0" }),
      request({ client: "admin walkthrough" }),
      request({ path: "/apis/coordination.k8s.io/v1/namespaces/a/leases/b" }),
    ),
  );
  expect(restless).toEqual([
    expect.stringMatching(/^client "admin web-operator" sent GET \/api\/v1\/pods once in /),
  ]);
});

test("finds a watch that is open twice, however old", async () => {
  const at = Date.now() - 60_000;
  const open = (id: number, query = "?watch=true") => request({ at, id, query });
  const records = [open(1), open(2, "?watch=1&resourceVersion=7"), open(3, "?watch=1&labelSelector=a%3Db")];
  const activity = () => records;
  expect(await check(() => {}, { activity })).toEqual([
    'client "admin web-operator" has opened the watch /api/v1/pods 2 times',
  ]);
  const closed: ActivityRecord = { at, type: "watch-closed", id: 1 };
  expect(await check(() => {}, { activity: () => [...records, closed] })).toEqual([]);
});

test("finds a loop that ended long ago", async () => {
  const activity = () => Array.from({ length: 150 }, (_, i) => reconcile(i * 5));
  expect(await check(() => {}, { activity, patience: 60_000 })).toEqual([
    "controller web reconciled default/a 150 times within one second",
  ]);
});

test("counts the writes of an object that does not rest", async () => {
  let version = 0;
  const versions = async () =>
    new Map([["/api/v1/pods/a", { label: "pods default/a", version: String(version++) }]]);
  expect(await check(() => {}, { versions })).toEqual([
    expect.stringMatching(/^pods default\/a was written \d+ times in [\d.]+ s at least$/),
  ]);
});

test("accepts one write beside a poke, which a replica may do when it becomes the leader", async () => {
  const records: ActivityRecord[] = [];
  let pokes = 0;
  const restless = await check(() => {}, {
    ...{ activity: () => records, patience: 60_000 },
    poke: async () => void (++pokes === 1 && records.push(request({ method: "POST" }))),
  });
  expect([restless, pokes]).toEqual([[], 2]);
});

test("reports writes after a poke, but no reads", async () => {
  const records: ActivityRecord[] = [];
  const restless = await check(() => {}, {
    ...{ activity: () => records, patience: 60_000 },
    poke: async () => void records.push(request(), request({ method: "PATCH" }), reconcile()),
  });
  expect(restless).toEqual([
    expect.stringMatching(
      /^client "admin web-operator" sent PATCH \S+ once in \S+ s, although nothing had changed$/,
    ),
  ]);
});
