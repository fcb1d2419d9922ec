import { formatQuantity, type ParsedQuantity } from "@operator-path/client";
import { podResources } from "../../kinds/core/pod/resources.ts";
import { type ResourceList, readResourceList } from "../../kinds/core/resource-list.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
  isFor,
} from "../../server/admission/admission.ts";

/** Gives containers the defaults of their namespace's LimitRanges, and refuses (403) amounts out of range. */
export const limitRanger: AdmissionPlugin = {
  name: "LimitRanger",
  mutate(attributes, context) {
    const { object: pod, operation } = attributes;
    if (operation !== "CREATE" || !isFor(attributes, "", "pods") || pod === undefined) return;
    for (const range of limitRanges(attributes, context)) defaultResources(pod, limitsOf(range));
  },
  validate(attributes, context) {
    const { object: draft, old, operation } = attributes;
    if (draft === undefined || old?.metadata.deletionTimestamp !== undefined) return;
    const isPod = operation === "CREATE" && isFor(attributes, "", "pods");
    const isClaim =
      (operation === "CREATE" || operation === "UPDATE") && isFor(attributes, "", "persistentvolumeclaims");
    if (!isPod && !isClaim) return;
    for (const range of limitRanges(attributes, context)) {
      const limits = limitsOf(range);
      const errors = isPod ? checkPod(draft, limits) : checkClaim(draft, limits);
      if (errors.length > 0) throw forbiddenBy(attributes, aggregate(errors));
    }
  },
};

function limitRanges(
  { namespace }: AdmissionAttributes,
  { store }: Pick<AdmissionContext, "store">,
): ApiObject[] {
  if (store.count("limitranges") === 0) return [];
  return store.range("limitranges", { prefix: `${namespace}/` }).map((stored) => stored.object);
}

function limitsOf(range: ApiObject): JsonObject[] {
  return objects(object(range.spec).limits);
}

/** Formats several errors like Go's aggregate, which names equal errors once. */
function aggregate(errors: string[]): string {
  const unique = [...new Set(errors)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(", ")}]`;
}

interface Amounts {
  requests: ResourceList;
  limits: ResourceList;
}

function checkPod(pod: ApiObject, limits: JsonObject[]): string[] {
  const spec = object(pod.spec);
  const containers = [...objects(spec.containers), ...objects(spec.initContainers)].map(({ resources }) => ({
    requests: readResourceList(object(resources).requests),
    limits: readResourceList(object(resources).limits),
  }));
  return limits.flatMap((limit) => {
    if (limit.type === "Container") return containers.flatMap((amounts) => checkAmounts(limit, amounts));
    if (limit.type !== "Pod") return [];
    const whole = { requests: podResources(spec, "requests"), limits: podResources(spec, "limits") };
    return checkAmounts(limit, whole);
  });
}

/** Checks the requests of a claim. Its limits have no meaning. */
function checkClaim(claim: ApiObject, limits: JsonObject[]): string[] {
  const requests = readResourceList(object(object(claim.spec).resources).requests);
  return limits
    .filter(({ type }) => type === "PersistentVolumeClaim")
    .flatMap((limit) => {
      const where = text(limit.type);
      return [
        ...each(limit.min, (name, bound) => belowMinimum(where, name, bound, { requests, limits: {} })),
        ...each(limit.max, (name, bound) => {
          const head = `maximum ${name} usage per ${where} is ${formatQuantity(bound)}`;
          const request = requests[name];
          if (request === undefined) return `${head}.  No request is specified`;
          return request.nano > bound.nano ? `${head}, but request is ${formatQuantity(request)}` : undefined;
        }),
      ];
    });
}

function checkAmounts(limit: JsonObject, amounts: Amounts): string[] {
  const where = text(limit.type);
  return [
    ...each(limit.min, (name, bound) => belowMinimum(where, name, bound, amounts)),
    ...each(limit.max, (name, bound) => aboveMaximum(where, name, bound, amounts)),
    ...each(limit.maxLimitRequestRatio, (name, bound) => aboveRatio(where, name, bound, amounts)),
  ];
}

function each(
  bounds: JsonObject[string],
  check: (name: string, bound: ParsedQuantity) => string | undefined,
): string[] {
  return Object.entries(readResourceList(bounds)).flatMap(([name, bound]) => check(name, bound) ?? []);
}

function belowMinimum(
  where: string,
  name: string,
  bound: ParsedQuantity,
  amounts: Amounts,
): string | undefined {
  const head = `minimum ${name} usage per ${where} is ${formatQuantity(bound)}`;
  const request = amounts.requests[name];
  const limit = amounts.limits[name];
  if (request === undefined) return `${head}.  No request is specified`;
  if (request.nano < bound.nano) return `${head}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && limit.nano < bound.nano) return `${head}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function aboveMaximum(
  where: string,
  name: string,
  bound: ParsedQuantity,
  amounts: Amounts,
): string | undefined {
  const head = `maximum ${name} usage per ${where} is ${formatQuantity(bound)}`;
  const request = amounts.requests[name];
  const limit = amounts.limits[name];
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (limit.nano > bound.nano) return `${head}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && request.nano > bound.nano) {
    return `${head}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
}

function aboveRatio(
  where: string,
  name: string,
  bound: ParsedQuantity,
  amounts: Amounts,
): string | undefined {
  const head = `${name} max limit to request ratio per ${where} is ${formatQuantity(bound)}`;
  const request = amounts.requests[name]?.nano ?? 0n;
  const limit = amounts.limits[name]?.nano ?? 0n;
  if (request === 0n) return `${head}, but no request is specified or request is 0`;
  if (limit === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(limit) / Number(request);
  return ratio > Number(bound.nano) / 1e9 ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Sets the defaults that containers lack, and lists them in an annotation. */
function defaultResources(pod: ApiObject, limits: JsonObject[]): void {
  const perContainer = limits.filter(({ type }) => type === "Container");
  const requests: JsonObject = Object.assign(
    {},
    ...perContainer.map((limit) => object(limit.defaultRequest)),
  );
  const maxima: JsonObject = Object.assign({}, ...perContainer.map((limit) => object(limit.default)));
  const spec = object(pod.spec);
  const notes = [
    ...objects(spec.containers).flatMap((container) => fill(container, "container", requests, maxima)),
    ...objects(spec.initContainers).flatMap((container) =>
      fill(container, "init container", requests, maxima),
    ),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    "kubernetes.io/limit-ranger": `LimitRanger plugin set: ${notes.join("; ")}`,
  };
}

function fill(container: JsonObject, what: string, requests: JsonObject, maxima: JsonObject): string[] {
  const resources = object(container.resources);
  const notes: string[] = [];
  const members: JsonObject = {};
  for (const [member, singular, defaults] of [
    ["requests", "request", requests],
    ["limits", "limit", maxima],
  ] as const) {
    const present = object(resources[member]);
    const missing = Object.keys(defaults).filter((name) => present[name] === undefined);
    const added = Object.fromEntries(missing.map((name) => [name, defaults[name]]));
    const all: JsonObject = { ...present, ...added };
    if (Object.keys(all).length > 0) members[member] = all;
    if (missing.length > 0) {
      notes.push(`${missing.sort().join(", ")} ${singular} for ${what} ${text(container.name)}`);
    }
  }
  container.resources = { ...resources, ...members };
  return notes;
}
