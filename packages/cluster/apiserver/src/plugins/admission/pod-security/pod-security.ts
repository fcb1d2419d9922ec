import { isDeepStrictEqual } from "node:util";
import { forbidden, invalid } from "../../../apimachinery/errors.ts";
import type { ApiObject, JsonObject } from "../../../lib/json/json.ts";
import { object, objects } from "../../../lib/json/read.ts";
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
} from "../../../server/admission/admission.ts";
import { collectionOf } from "../../../server/storage/keys.ts";
import { type PodLike, podLike } from "./check.ts";
import { details, evaluatePod } from "./evaluate.ts";
import { warnOfPods } from "./existing-pods.ts";
import { compareLevels, defaultPolicy, type Level, levelText, type Policy, policyOf } from "./policy.ts";

/** Reads the Pod template of a workload, by resource. */
const templates: Record<string, (workload: ApiObject) => unknown> = {
  podtemplates: ({ template }) => template,
  "replicasets.apps": ({ spec }) => object(spec).template,
  "deployments.apps": ({ spec }) => object(spec).template,
  "statefulsets.apps": ({ spec }) => object(spec).template,
  "daemonsets.apps": ({ spec }) => object(spec).template,
  "jobs.batch": ({ spec }) => object(spec).template,
  "cronjobs.batch": ({ spec }) => object(object(object(spec).jobTemplate).spec).template,
};

/** Namespaces without enforcement: Pods of the cluster itself need what `restricted` forbids. */
const exempt: ReadonlySet<string> = new Set(["kube-system"]);

/**
 * Enforces the level in the labels of a Pod's namespace, and warns about workloads whose Pods would be
 * refused.
 *
 * @param enforce the level of a namespace without a label. kube-system is exempt
 * @throws ApiStatusError 403 for a Pod, 422 for invalid labels
 */
export function createPodSecurity(enforce: Level = "privileged"): AdmissionPlugin {
  const defaults = defaultPolicy(enforce);
  const unlimited = defaultPolicy("privileged");
  function namespacePolicy({ namespace }: AdmissionAttributes, context: AdmissionContext): Policy {
    const stored = context.store.get("namespaces", namespace)?.object;
    return policyOf(stored?.metadata.labels, exempt.has(namespace) ? unlimited : defaults).policy;
  }
  return {
    name: "PodSecurity",
    validate(attributes, context) {
      const { operation, type, subresource } = attributes;
      if (operation !== "CREATE" && operation !== "UPDATE") return;
      const collection = collectionOf(type);
      if (collection === "pods") {
        if (subresource === "" || subresource === "ephemeralcontainers")
          validatePod(attributes, namespacePolicy(attributes, context));
      } else if (subresource !== "") return;
      else if (collection === "namespaces") validateNamespace(attributes, context);
      else if (templates[collection] !== undefined)
        warnOfTemplate(attributes, namespacePolicy(attributes, context), templates[collection]);
    },
  };
}

function isPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

function validatePod(attributes: AdmissionAttributes, policy: Policy): void {
  const { object: pod, old, operation, type } = attributes;
  if (isPrivileged(policy) || pod === undefined) return;
  if (operation === "UPDATE" && old !== undefined && !isSignificant(object(pod.spec), object(old.spec)))
    return;
  const like = podLike(pod);
  const violations = evaluatePod(policy.enforce, like);
  if (violations.length > 0) {
    const why = `violates PodSecurity ${JSON.stringify(levelText(policy.enforce))}: ${details(violations)}`;
    throw forbidden(type.group, type.plural, attributes.name, why);
  }
  warn(attributes, policy, like);
}

function warnOfTemplate(
  attributes: AdmissionAttributes,
  policy: Policy,
  templateOf: (workload: ApiObject) => unknown,
): void {
  const workload = attributes.object;
  if (workload === undefined || policy.warn.level === "privileged") return;
  warn(attributes, policy, podLike(object(templateOf(workload) as JsonObject)));
}

function warn({ request }: AdmissionAttributes, { warn: level }: Policy, pod: PodLike): void {
  const violations = evaluatePod(level, pod);
  if (violations.length === 0) return;
  request.warn(`would violate PodSecurity ${JSON.stringify(levelText(level))}: ${details(violations)}`);
}

/** Returns whether an update changes what the checks read: images, and the set of containers. */
function isSignificant(spec: JsonObject, old: JsonObject): boolean {
  const images = (list: JsonObject[]) => list.map(({ image }) => image ?? "");
  for (const list of ["containers", "initContainers"]) {
    if (!isDeepStrictEqual(images(objects(spec[list])), images(objects(old[list])))) return true;
  }
  const before = objects(old.ephemeralContainers);
  return objects(spec.ephemeralContainers).some(
    ({ name, image }) => !before.some((entry) => entry.name === name && entry.image === image),
  );
}

function validateNamespace(attributes: AdmissionAttributes, context: AdmissionContext): void {
  const { object: namespace, old, type, name, request } = attributes;
  const { policy, causes } = policyOf(namespace?.metadata.labels);
  if (old === undefined) {
    if (causes.length > 0) throw invalid(type.group, type.kind, name, causes);
    return;
  }
  const before = policyOf(old.metadata.labels);
  if (causes.length > 0 && !isDeepStrictEqual(causes, before.causes)) {
    throw invalid(type.group, type.kind, name, causes);
  }
  const { enforce } = policy;
  const sameVersion = enforce.minor === before.policy.enforce.minor;
  if (sameVersion && compareLevels(enforce.level, before.policy.enforce.level) <= 0) return;
  if (enforce.level !== "privileged") warnOfPods(context, name, enforce, (text) => request.warn(text));
}
