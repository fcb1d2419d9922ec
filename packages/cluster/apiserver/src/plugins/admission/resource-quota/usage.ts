import { qualified } from "../../../apimachinery/errors.ts";
import { podResources } from "../../../kinds/core/pod/resources.ts";
import {
  addResources,
  count,
  type ResourceList,
  readResourceList,
} from "../../../kinds/core/resource-list.ts";
import type { ApiObject, JsonObject } from "../../../lib/json/json.ts";
import { object, objects, text } from "../../../lib/json/read.ts";

/** A resource whose objects are counted. */
export interface CountedResource {
  group: string;
  plural: string;
}

/** Older names that mean the same as `count/…`. */
const aliases = ["configmaps", "resourcequotas", "replicationcontrollers", "secrets"];
const storageClassSuffix = ".storageclass.storage.k8s.io/";

/** Returns the usage of one object (the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core). */
export function usageOf(resource: CountedResource, item: ApiObject): ResourceList {
  const { group, plural } = resource;
  const counted = { [`count/${qualified(group, plural)}`]: count(1) };
  if (group !== "") return counted;
  switch (plural) {
    case "pods":
      return isFinished(item) ? counted : { ...counted, ...computeUsage(object(item.spec)) };
    case "services":
      return { ...counted, ...serviceUsage(object(item.spec)) };
    case "persistentvolumeclaims":
      return { ...counted, ...claimUsage(item) };
    default:
      return aliases.includes(plural) ? { ...counted, [plural]: count(1) } : counted;
  }
}

/** Returns whether a name in a quota is about objects of this resource. */
export function isTracked({ group, plural }: CountedResource, name: string): boolean {
  if (name === `count/${qualified(group, plural)}`) return true;
  if (group !== "") return false;
  switch (plural) {
    case "pods":
      return isPodResource(name);
    case "services":
      return ["services", "services.nodeports", "services.loadbalancers"].includes(name);
    case "persistentvolumeclaims":
      return ["persistentvolumeclaims", "requests.storage"].some(
        (own) => name === own || name.endsWith(storageClassSuffix + own),
      );
    default:
      return aliases.includes(plural) && name === plural;
  }
}

const computeNames = ["cpu", "memory", "ephemeral-storage"];

function isPodResource(name: string): boolean {
  const plain = name.replace(/^(requests|limits)\./, "");
  if (name === "pods" || computeNames.includes(plain)) return true;
  if (/^(requests\.)?hugepages-/.test(name)) return true;
  // Extended resources can only be requested.
  return name.startsWith("requests.") && plain.includes("/") && !plain.includes(storageClassSuffix);
}

/** Returns whether a Pod has finished. It still counts as an object, but uses no resources. */
function isFinished({ status }: ApiObject): boolean {
  const { phase } = object(status);
  return phase === "Succeeded" || phase === "Failed";
}

function computeUsage(spec: JsonObject): ResourceList {
  return {
    pods: count(1),
    ...quotaNames(podResources(spec, "requests"), podResources(spec, "limits")),
  };
}

/** Returns the amounts by their names in quotas. A request has two names. */
export function quotaNames(requests: ResourceList, limits: ResourceList): ResourceList {
  const named = Object.entries(requests).flatMap(([name, amount]) => {
    if (computeNames.includes(name) || name.startsWith("hugepages-")) {
      return [
        [name, amount],
        [`requests.${name}`, amount],
      ] as const;
    }
    return name.includes("/") ? [[`requests.${name}`, amount] as const] : [];
  });
  const limited = Object.entries(limits)
    .filter(([name]) => computeNames.includes(name))
    .map(([name, amount]) => [`limits.${name}`, amount] as const);
  return Object.fromEntries([...named, ...limited]);
}

function serviceUsage(spec: JsonObject): ResourceList {
  const ports = objects(spec.ports);
  const type = text(spec.type);
  const explicit = ports.filter(({ nodePort }) => nodePort !== undefined && nodePort !== 0).length;
  const allocated = spec.allocateLoadBalancerNodePorts === false ? explicit : ports.length;
  const nodePorts = type === "NodePort" ? ports.length : type === "LoadBalancer" ? allocated : 0;
  return {
    services: count(1),
    "services.loadbalancers": count(type === "LoadBalancer" ? 1 : 0),
    "services.nodeports": count(nodePorts),
  };
}

function claimUsage(claim: ApiObject): ResourceList {
  const spec = object(claim.spec);
  const { storage } = readResourceList(object(spec.resources).requests);
  const storageClass =
    claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? text(spec.storageClassName);
  const plain: ResourceList = {
    persistentvolumeclaims: count(1),
    ...(storage === undefined ? {} : { "requests.storage": storage }),
  };
  if (storageClass === "") return plain;
  const byClass = Object.entries(plain).map(([name, amount]) => [
    storageClass + storageClassSuffix + name,
    amount,
  ]);
  return { ...plain, ...Object.fromEntries(byClass) };
}

/** Returns the sum over objects. */
export function totalUsage(resource: CountedResource, items: readonly ApiObject[]): ResourceList {
  let total: ResourceList = {};
  for (const item of items) total = addResources(total, usageOf(resource, item));
  return total;
}
