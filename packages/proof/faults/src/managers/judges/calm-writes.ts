import { apiVersionOf, deployments } from "@operator-path/client";
import { getControllerOf, type ReconcileCause } from "@operator-path/controller-runtime";
import { type Site, sites } from "../reference/site.ts";
import { names } from "../steps.ts";
import type { World } from "../world.ts";
import { wrong } from "./wrong.ts";

const fresh = { namespace: "a", name: "three", key: "a/three" };

/**
 * Without faults, every change takes exactly the writes that it needs, and no write is rejected, although
 * watches are 300 ms late. Another reconcile follows each write at once, and must see it. The reconcile after
 * a change reports that change as its cause.
 */
export async function judgeCalmWrites(world: World): Promise<void> {
  const { clock, server, problem, counts, judge } = world;
  const users = server.writes(sites);
  const children = server.writes(deployments);
  const sent: string[] = [];
  const causes: [string, ReconcileCause][] = [];
  const stopLag = lagBehind(world, 300);
  const unwatch = judge.watch((key, cause) => {
    causes.push([key, cause]);
  });
  world.onSent = (method, path) => sent.push(`${method} ${path}`);
  world.onWritten = (key) => {
    const [namespace = "", name = ""] = key.split("/");
    world.operator()?.queue()?.add({ namespace, name });
  };
  const refused = counts.refused;

  async function expectWrites(what: string, expected: readonly RegExp[]): Promise<void> {
    await clock.advance(10_000);
    const made = sent.splice(0);
    if (made.length !== expected.length || !expected.every((each, index) => each.test(made[index] ?? ""))) {
      problem(`14: ${what} takes ${made.length} writes instead of ${expected.length}: ${made.join(", ")}`);
    }
  }

  /** The change may come when the site is due anyway: then it is one of several causes. */
  function judgeCauses(key: string, change: Record<string, unknown>): void {
    const reported = causes.filter(([of]) => of === key).map(([, cause]) => cause);
    const isReported = (cause: ReconcileCause) =>
      Object.entries(change).every(([field, value]) => cause[field as keyof ReconcileCause] === value) ||
      (cause.trigger === "requeueAfter" && cause.count > 1);
    if (!reported.some(isReported))
      problem(
        `cause: a change of ${key}, ${JSON.stringify(change)}, is reported as ${JSON.stringify(reported)}`,
      );
  }

  for (const { namespace, name, key } of names) {
    const site = server.revisions.get(sites.plural, key) as Site | undefined;
    const child = server.revisions.get(deployments.plural, key);
    const isOurs = !child || getControllerOf(child)?.kind === sites.kind;
    if (!site || site.metadata?.deletionTimestamp || !isOurs || (site.spec?.size ?? 0) < 0) continue;
    causes.length = 0;
    const { metadata } = users.mergePatch(namespace, name, { spec: { size: 11 } });
    const verb = child ? "PUT" : "POST";
    await expectWrites("another size", [
      new RegExp(`^${verb} .*/deployments`),
      /^(PUT|PATCH) .*\/sites\/.*\/status$/,
    ]);
    const change = {
      ...{ trigger: "updated", resource: "Site", object: key },
      ...{ oldResourceVersion: site.metadata?.resourceVersion, resourceVersion: metadata?.resourceVersion },
    };
    judgeCauses(key, change);
    if (!server.revisions.get(deployments.plural, key)) {
      problem(`14: 10 s after another size, ${key} has no Deployment`);
      continue;
    }
    children.mergePatch(namespace, name, { spec: { replicas: 1 } });
    await expectWrites("a changed Deployment", [/^PUT .*\/deployments/]);
    children.delete(namespace, name);
    await expectWrites("a deleted Deployment", [/^POST .*\/deployments/]);
  }

  const { namespace, name, key } = fresh;
  users.create({
    apiVersion: apiVersionOf(sites),
    kind: sites.kind,
    metadata: { namespace, name },
    spec: { size: 2 },
  });
  await expectWrites("a new site", [
    /^(PUT|PATCH) .*\/sites\/three$/,
    /^POST .*\/deployments$/,
    /^(PUT|PATCH) .*\/sites\/three\/status$/,
  ]);
  const found = wrong(world, [...names, fresh]);
  if (found) problem(`10 s after the last change, ${found}`);
  users.delete(namespace, name);
  await expectWrites("a deletion", [/^(PUT|PATCH) .*\/sites\/three$/]);
  if (server.revisions.get(sites.plural, key)) problem(`16: ${key} was deleted 10 s ago, and still exists`);
  if (server.revisions.get(deployments.plural, key)) problem(`15: the Deployment of ${key} outlives it`);
  if (world.outside.records.has(key)) problem(`16: the record of ${key} outlives it`);
  if (counts.refused > refused)
    problem(`${counts.refused - refused} writes are rejected, without other writers`);
  unwatch();
  stopLag();
  world.onSent = undefined;
  world.onWritten = undefined;
}

/** Delays all events of watches. Returns a function that ends this. */
function lagBehind({ clock, server }: World, milliseconds: number): () => void {
  let timer = clock.setTimeout(tick, milliseconds);
  for (const replica of server.replicas) replica.lag();
  function tick(): void {
    timer = clock.setTimeout(tick, milliseconds);
    for (const replica of server.replicas) {
      replica.catchUp();
      replica.lag();
    }
  }
  return () => {
    clock.clearTimeout(timer);
    for (const replica of server.replicas) replica.catchUp();
  };
}
