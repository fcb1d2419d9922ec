import { forbidden } from "../../apimachinery/errors.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { object } from "../../lib/json/read.ts";
import {
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
  isFor,
} from "../../server/admission/admission.ts";

/** Gives claims without a StorageClass the default one. Of several, it takes the newest. */
export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  mutate(attributes, context) {
    const { object: claim, operation } = attributes;
    if (!isFor(attributes, "", "persistentvolumeclaims") || operation !== "CREATE" || claim === undefined)
      return;
    const spec = object(claim.spec);
    const beta = claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"];
    if (spec.storageClassName !== undefined || beta !== undefined) return;
    const [found] = marked(
      context,
      "storageclasses.storage.k8s.io",
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    );
    if (found !== undefined) claim.spec = { ...spec, storageClassName: found.metadata.name as string };
  },
};

/** Gives Ingresses without an IngressClass the default one. Of several, it takes the newest. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  mutate(attributes, context) {
    const { object: ingress, operation } = attributes;
    if (!isFor(attributes, "networking.k8s.io", "ingresses") || operation !== "CREATE") return;
    if (ingress === undefined) return;
    const spec = object(ingress.spec);
    const legacy = ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
    if (spec.ingressClassName !== undefined || legacy !== undefined) return;
    const [found] = marked(
      context,
      "ingressclasses.networking.k8s.io",
      "ingressclass.kubernetes.io/is-default-class",
    );
    if (found !== undefined) ingress.spec = { ...spec, ingressClassName: found.metadata.name as string };
  },
};

/** Returns the classes with one of the annotations, the newest first. */
function marked(
  { store }: Pick<AdmissionContext, "store">,
  collection: string,
  ...annotations: string[]
): ApiObject[] {
  if (store.count(collection) === 0) return [];
  const created = (entry: ApiObject) => entry.metadata.creationTimestamp ?? "";
  return store
    .range(collection)
    .map((stored) => stored.object)
    .filter(({ metadata }) => annotations.some((name) => metadata.annotations?.[name] === "true"))
    .sort((a, b) => (created(a) < created(b) ? 1 : created(a) > created(b) ? -1 : 0));
}

/** Lets a claim grow only if its class allows that. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  validate(attributes, context) {
    const { object: claim, old, operation, type, name } = attributes;
    if (!isFor(attributes, "", "persistentvolumeclaims") || operation !== "UPDATE") return;
    const requested = storage(claim);
    if (requested === storage(old) || object(old?.status).phase === undefined) return;
    if (object(old?.status).phase !== "Bound") {
      throw forbidden(type.group, type.plural, name, "Only bound persistent volume claims can be expanded");
    }
    const className = String(object(old?.spec).storageClassName ?? "");
    const found = context.store.get("storageclasses.storage.k8s.io", className)?.object;
    if (found?.allowVolumeExpansion === true) return;
    const why =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw forbiddenBy(attributes, why);
  },
};

function storage(claim: ApiObject | undefined): unknown {
  return object(object(object(claim?.spec).resources).requests).storage;
}
