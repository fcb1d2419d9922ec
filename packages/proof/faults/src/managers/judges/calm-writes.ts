import { apiVersionOf, deployments } from "@operator-path/client";
import { getControllerOf, type ReconcileCause } from "@operator-path/controller-runtime";
import { type Site, sites } from "../reference/site.ts";
import { names } from "../steps.ts";
import type { World } from "../world.ts";
import { wrong } from "./wrong.ts";

const fresh = { namespace: "a", name: "three", key: "a/three" };

/**
 * While nothing fails, every change takes exactly the writes that it needs, and none is refused: although watches are
 * 300 ms late, and each write is followed at once by another reconcile, which has to see it. And the reconcile that a
 * change brings is told of that change.
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
      problem(`14: ${what} takes ${made.length} writes, and needs ${expected.length}: ${made.join(", ")}`);
    }
  }

  /** It may come just when the site is due anyway: then that is the first of several causes. */
  function judgeCauses(key: string, change: Record<string, unknown>): void {
    const told = causes.filter(([of]) => of === key).map(([, cause]) => cause);
    const isTold = (cause: ReconcileCause) =>
      Object.entries(change).every(([field, value]) => cause[field as keyof ReconcileCause] === value) ||
      (cause.trigger === "requeueAfter" && cause.count > 1);
    if (!told.some(isTold))
      problem(`cause: a change of ${key}, ${JSON.stringify(change)}, is told as ${JSON.stringify(told)}`);
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
    await expectWrites("a Deployment that somebody changes", [/^PUT .*\/deployments/]);
    children.delete(namespace, name);
    await expectWrites("a Deployment that somebody deletes", [/^POST .*\/deployments/]);
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
  if (server.revisions.get(sites.plural, key)) problem(`16: ${key} was deleted 10 s ago, and is still there`);
  if (server.revisions.get(deployments.plural, key)) problem(`15: the Deployment of ${key} outlives it`);
  if (world.outside.records.has(key)) problem(`16: the record of ${key} outlives it`);
  if (counts.refused > refused)
    problem(`${counts.refused - refused} writes are refused, and nobody else writes`);
  unwatch();
  stopLag();
  world.onSent = undefined;
  world.onWritten = undefined;
}

/** Watches hear of everything so much later. Returns how to end it. */
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
