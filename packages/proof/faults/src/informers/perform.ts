import type { SimulatedObject } from "../server/objects.ts";
import { contentOf, placeOf, type Thing } from "./objects.ts";
import type { Step } from "./steps.ts";
import type { World } from "./world.ts";

type Write = Extract<Step, { do: "write" }>;

/** Another client writes, past all faults. A change of a missing object does nothing. */
function performWrite({ server, resource }: World, { op, object, value }: Write): void {
  const writes = server.writes(resource);
  const { namespace, name } = placeOf(object);
  const old = server.revisions.get(resource.plural, `${namespace}/${name}`) as Thing | undefined;
  const wasHot = old?.metadata?.labels?.tier !== "cold";
  const content = (hot: boolean): SimulatedObject => ({
    ...contentOf(object, value, hot),
    kind: resource.kind,
    apiVersion: resource.group === "" ? resource.version : `${resource.group}/${resource.version}`,
  });
  switch (op) {
    case "put":
      if (old) writes.update(content(wasHot));
      else writes.create(content(value % 3 !== 0));
      break;
    case "label":
      if (old) writes.update(content(!wasHot));
      break;
    case "status":
      if (old) writes.update({ ...old, status: { phase: `phase-${value}` } }, true);
      break;
    case "delete":
      if (old) writes.delete(namespace, name);
      break;
    case "recreate":
      if (old) writes.delete(namespace, name);
      writes.create(content(wasHot));
      break;
  }
}

/** Performs a step, except those of handlers and time. */
export function perform(world: World, step: Step): void {
  const { server, network } = world;
  const replicaOf = (index: number) => server.replicas[index % server.replicas.length];
  switch (step.do) {
    case "write":
      performWrite(world, step);
      break;
    case "compact":
      server.revisions.compact();
      break;
    case "bookmark":
      server.bookmark();
      break;
    case "skip":
      server.revisions.skip(step.versions);
      break;
    case "fault":
      network.arm(step.on, step.fault, step.times);
      break;
    case "break":
      network.breakStreams(step.break);
      break;
    case "lag":
      replicaOf(step.replica)?.lag();
      break;
    case "catch up":
      replicaOf(step.replica)?.catchUp();
      break;
  }
}
