import type { ApiObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
  isFor,
} from "../../server/admission/admission.ts";
import type { Store } from "../../server/storage/store.ts";

const collection = "priorityclasses.scheduling.k8s.io";

/**
 * Gives Pods the priority of their class, and allows only one default class. Refuses (403) contradictions.
 */
export const priority: AdmissionPlugin = {
  name: "Priority",
  mutate(attributes, context) {
    if (!isFor(attributes, "", "pods") || attributes.object === undefined) return;
    if (attributes.operation === "CREATE") resolvePriority(attributes, attributes.object, context);
    if (attributes.operation === "UPDATE") keepPriority(attributes.object, attributes.old);
  },
  validate(attributes, context) {
    const { operation, object: priorityClass, name } = attributes;
    if (!isFor(attributes, "scheduling.k8s.io", "priorityclasses") || priorityClass?.globalDefault !== true)
      return;
    const other = defaultClass(context)?.metadata.name;
    if (other === undefined || (operation === "UPDATE" && other === name)) return;
    const why = `PriorityClass ${other} is already marked as default. Only one default can exist`;
    throw forbiddenBy(attributes, why);
  },
};

function resolvePriority(attributes: AdmissionAttributes, pod: ApiObject, context: AdmissionContext): void {
  const spec = object(pod.spec);
  const className = text(spec.priorityClassName);
  const found = className === "" ? defaultClass(context) : context.store.get(collection, className)?.object;
  if (className !== "" && found === undefined) {
    throw forbiddenBy(attributes, `no PriorityClass with name ${className} was found`);
  }
  const value = typeof found?.value === "number" ? found.value : 0;
  if (typeof spec.priority === "number" && spec.priority !== value) {
    const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    throw forbiddenBy(attributes, why);
  }
  const policy = text(found?.preemptionPolicy) || "PreemptLowerPriority";
  const stated = text(spec.preemptionPolicy);
  if (stated !== "" && stated !== policy) {
    const why = `the string value of PreemptionPolicy (${stated}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw forbiddenBy(attributes, why);
  }
  if (found !== undefined) spec.priorityClassName = found.metadata.name as string;
  spec.priority = value;
  spec.preemptionPolicy = policy;
  pod.spec = spec;
}

/** Keeps the priority that the server has set, if a client omits it in an update. */
function keepPriority(pod: ApiObject, old: ApiObject | undefined): void {
  const spec = object(pod.spec);
  const before = object(old?.spec);
  for (const field of ["priority", "preemptionPolicy"]) {
    if (spec[field] === undefined && before[field] !== undefined) {
      pod.spec = { ...object(pod.spec), [field]: before[field] };
    }
  }
}

interface Default {
  current: ApiObject | undefined;
}

/** The default class of each server, kept current by a watch, because every new Pod needs it. */
const defaults = new WeakMap<Store, Default>();

function defaultClass({ store }: Pick<AdmissionContext, "store">): ApiObject | undefined {
  let known = defaults.get(store);
  if (known === undefined) {
    const made: Default = { current: findDefault(store) };
    store.watch(collection, store.revision, () => {
      made.current = findDefault(store);
    });
    defaults.set(store, made);
    known = made;
  }
  return known.current;
}

/** Returns the default class. Only a race can create several; then the lowest value wins. */
function findDefault(store: Store): ApiObject | undefined {
  return store
    .range(collection)
    .map(({ object: priorityClass }) => priorityClass)
    .filter(({ globalDefault }) => globalDefault === true)
    .sort((a, b) => Number(a.value) - Number(b.value))[0];
}
