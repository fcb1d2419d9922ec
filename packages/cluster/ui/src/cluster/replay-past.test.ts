import { expect, test } from "vitest";
import type { PastWrite } from "./read-past.ts";
import { replayPast } from "./replay-past.ts";
import type { ObjectView } from "./wire.ts";

const second = Date.UTC(2026, 0, 1, 12, 0, 1);

function write(type: PastWrite["type"], uid: string, revision: number, time = second): PastWrite {
  const metadata = {
    uid,
    name: uid,
    resourceVersion: `${revision}`,
    creationTimestamp: new Date(time).toISOString(),
  };
  return { type, revision, object: { apiVersion: "v1", kind: "ConfigMap", metadata } };
}

function opened(...objects: readonly (readonly [uid: string, revision: number])[]): Map<string, ObjectView> {
  return new Map(
    objects.map(([uid, revision]) => [uid, { uid, resourceVersion: `${revision}` } as ObjectView]),
  );
}

const rest = { isNew: () => false, now: second + 60_000 };

test("begins with the objects before the past, and ends with those when the view was opened", () => {
  const writes = [write("ADDED", "a", 11), write("MODIFIED", "old", 12), write("DELETED", "a", 13)];
  const past = replayPast({ since: 10, writes }, { ...rest, opened: opened(["old", 12], ["older", 3]) });
  expect(past?.base.map(({ uid }) => uid)).toEqual(["old", "older"]);
  expect(past?.changes.map(({ entry: { name, type } }) => `${name} ${type}`)).toEqual([
    "a added",
    "old updated",
    "a deleted",
  ]);
});

test("spreads the writes of one second over it, in their order", () => {
  const writes = [write("ADDED", "a", 11), write("ADDED", "b", 12), write("ADDED", "c", 13, second + 1000)];
  const past = replayPast(
    { since: 10, writes },
    { ...rest, opened: opened(["a", 11], ["b", 12], ["c", 13]) },
  );
  expect(past?.changes.map(({ entry }) => entry.at - second)).toEqual([0, 500, 1000]);
});

test("leaves to the view's own watches what came after it was opened", () => {
  const writes = [write("ADDED", "a", 11), write("MODIFIED", "a", 14), write("ADDED", "new", 15)];
  const past = replayPast(
    { since: 10, writes },
    { ...rest, isNew: (uid) => uid === "new", opened: opened(["a", 11]) },
  );
  expect(past?.changes.map(({ entry: { name, type } }) => `${name} ${type}`)).toEqual(["a added"]);
});

test("shows no past in which writes are missing", () => {
  const writes = [write("ADDED", "a", 11)];
  expect(replayPast({ since: 10, writes }, { ...rest, opened: opened(["a", 12]) })).toBeUndefined();
  expect(
    replayPast({ since: 10, writes }, { ...rest, opened: opened(["a", 11], ["b", 12]) }),
  ).toBeUndefined();
});

test("counts the first remembered write of a Node or Lease as a heartbeat, if its times say so", () => {
  const [at, earlier] = [new Date(second + 400).toISOString(), new Date(second - 60_000).toISOString()];
  const first = (name: string, object: object, type: PastWrite["type"] = "MODIFIED"): PastWrite => {
    const metadata = { uid: name, name, resourceVersion: "11", managedFields: [{ time: at }] };
    return { type, revision: 11, object: { ...object, metadata } };
  };
  const node = (lastTransitionTime: string) => {
    const condition = { type: "Ready", status: "True", lastHeartbeatTime: at, lastTransitionTime };
    return { kind: "Node", status: { conditions: [condition] } };
  };
  const lease = (acquireTime?: string) => ({ kind: "Lease", spec: { renewTime: at, acquireTime } });
  const writes = [
    first("node", node(earlier)),
    first("node that became ready", node(at)),
    first("lease", lease()),
    first("lease of a leader", lease(earlier)),
    first("lease of a new leader", lease(at)),
    first("new lease", lease(), "ADDED"),
    first("cordoned node", { kind: "Node", spec: { unschedulable: true }, status: { conditions: [] } }),
    first("other", { kind: "ConfigMap" }),
  ];
  const all = writes.map(({ object }) => [object.metadata?.uid ?? "", 11] as const);
  const past = replayPast({ since: 10, writes }, { ...rest, opened: opened(...all) });
  const beats = past?.changes.filter(({ entry }) => entry.heartbeat).map(({ entry }) => entry.name);
  expect(beats).toEqual(["node", "lease", "lease of a leader"]);
});
