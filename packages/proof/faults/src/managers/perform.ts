import { apiVersionOf, deployments } from "@operator-path/client";
import { getControllerOf } from "@operator-path/controller-runtime";
import { type Site, sites } from "./reference/site.ts";
import { type Step, siteAt } from "./steps.ts";
import type { World } from "./world.ts";

const otherFinalizer = "other.example.com/hold";

/** The actions of others: users, other operators, the server, and the outside. */
export type Change = Exclude<Step, { do: ProcessStep["do"] | "wait" }>;

/** The faults of the process and its network. */
type ProcessStep = Extract<Step, { do: "fault" | "break streams" | "crash" | "kill" | "restart" | "poke" }>;

/** Performs a step, unless its object does not exist. Time does not pass. */
export function perform(world: World, step: Change | ProcessStep): void {
  const { network } = world;
  switch (step.do) {
    case "fault":
      network.arm(step.target, step.fault, step.times);
      break;
    case "break streams":
      network.breakStreams({ how: step.how });
      break;
    case "crash":
      world.downFor(step.down);
      world.operator()?.life.crashAt(step.point);
      break;
    case "kill":
      world.downFor(step.down);
      world.operator()?.life.kill();
      break;
    case "restart":
      world.restart(step.down);
      break;
    case "poke":
      world.operator()?.queue()?.add(requestAt(step.site));
      break;
    default:
      change(world, step);
  }
}

function requestAt(index: number): { namespace: string; name: string } {
  const { namespace, name } = siteAt(index);
  return { namespace, name };
}

export function change(
  { server, outside, clock }: Pick<World, "server" | "outside" | "clock">,
  step: Change,
): void {
  const users = server.writes(sites);
  const children = server.writes(deployments);
  const at = "site" in step ? siteAt(step.site) : siteAt(0);
  const { namespace, name, key } = at;
  const site = server.revisions.get(sites.plural, key) as Site | undefined;
  const child = server.revisions.get(deployments.plural, key);
  const isOwned = child !== undefined && getControllerOf(child)?.kind === sites.kind;
  const changeSite = (patch: object, status = false) => void users.mergePatch(namespace, name, patch, status);
  const changeChild = (patch: object) => void children.mergePatch(namespace, name, patch);

  switch (step.do) {
    case "put":
      if (site) changeSite({ spec: { size: step.size } });
      else users.create({ ...sitesType, metadata: { namespace, name }, spec: { size: step.size } });
      break;
    case "delete":
      if (site) users.delete(namespace, name);
      break;
    case "label":
      if (site) changeSite({ metadata: { labels: { at: String(clock.now()) } } });
      break;
    case "nonsense":
      if (site) changeSite({ status: { size: 99 } }, true);
      break;
    case "hold":
      if (site && !site.metadata?.deletionTimestamp) {
        const { finalizers = [] } = site.metadata ?? {};
        if (!finalizers.includes(otherFinalizer))
          changeSite({ metadata: { finalizers: [...finalizers, otherFinalizer] } });
      }
      break;
    case "release": {
      const finalizers = site?.metadata?.finalizers?.filter((each) => each !== otherFinalizer);
      if (site) changeSite({ metadata: { finalizers: finalizers?.length ? finalizers : null } });
      break;
    }
    case "annotate child":
      if (child)
        changeChild({ metadata: { annotations: { at: String(clock.now()) } }, spec: { paused: true } });
      break;
    case "drift child":
      if (isOwned) changeChild({ spec: { replicas: step.replicas } });
      break;
    case "delete child":
      if (isOwned) children.delete(namespace, name);
      break;
    case "take name":
      if (!child) {
        const owner = { apiVersion: "other.example.com/v1", kind: "Other", name: "other", uid: "other" };
        const ownerReferences = step.controller ? [{ ...owner, controller: true }] : [];
        children.create({
          ...childType,
          metadata: { namespace, name, ownerReferences },
          spec: { replicas: 1 },
        });
      }
      break;
    case "free name":
      if (child && !isOwned) children.delete(namespace, name);
      break;
    case "drift record": {
      const record = outside.records.get(key);
      if (record) outside.drift(key, step.size === undefined ? undefined : { ...record, size: step.size });
      break;
    }
    case "lag":
      server.replicas[step.replica]?.lag();
      break;
    case "catch up":
      server.replicas[step.replica]?.catchUp();
      break;
    case "compact":
      server.revisions.compact();
      break;
    case "outside fails":
      outside.fail(step.times, step.when);
      break;
    case "outside is late":
      outside.delay(step.ms);
      break;
  }
}

const sitesType = { apiVersion: apiVersionOf(sites), kind: sites.kind };
const childType = { apiVersion: apiVersionOf(deployments), kind: deployments.kind };
