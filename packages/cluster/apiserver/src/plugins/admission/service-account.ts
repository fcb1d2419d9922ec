import { startTimer } from "../../lib/clock.ts";
import type { ApiObject, JsonObject, JsonValue } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import {
  type AdmissionAttributes,
  type AdmissionContext,
  type AdmissionPlugin,
  forbiddenBy,
} from "../../server/admission/admission.ts";
import { collectionOf } from "../../server/storage/keys.ts";
import { checkSecretReferences, referencesSecrets } from "./service-account-secrets.ts";
import { mountToken } from "./service-account-token.ts";

/**
 * How long a Pod waits for the account "default", in milliseconds. A controller creates the account, which
 * takes a moment in a new namespace.
 */
const accountTimeout = 1_000;

/**
 * Gives a Pod its ServiceAccount, and a volume with its token. Refuses the Pod (403) if the account does not
 * exist.
 */
export const serviceAccount: AdmissionPlugin = {
  name: "ServiceAccount",
  mutate(attributes, context) {
    const pod = podToCreate(attributes);
    if (pod === undefined) return;
    if (isMirror(pod)) return checkMirror(attributes, pod);
    const spec = object(pod.spec);
    pod.spec = spec;
    const name = text(spec.serviceAccountName) || "default";
    spec.serviceAccountName = name;
    spec.serviceAccount = name;
    const account = findAccount(attributes, name, context);
    if (account !== undefined || name !== "default") return give(attributes, spec, account, context);
    return waitForDefault(attributes, context).then((found) => give(attributes, spec, found, context));
  },
  validate(attributes, context) {
    const { type, subresource, object: draft } = attributes;
    const ephemeral = collectionOf(type) === "pods" && subresource === "ephemeralcontainers";
    const pod = ephemeral ? draft : podToCreate(attributes);
    if (pod === undefined) return;
    if (isMirror(pod)) return checkMirror(attributes, pod);
    const name = text(object(pod.spec).serviceAccountName);
    if (name === "") {
      const { namespace } = attributes;
      throw forbiddenBy(attributes, `no service account specified for pod ${namespace}/${attributes.name}`);
    }
    const account = findAccount(attributes, name, context);
    if (account === undefined) throw missing(attributes, name);
    checkSecretReferences(attributes, object(pod.spec), account, ephemeral);
  },
};

function podToCreate({
  operation,
  type,
  subresource,
  object: draft,
}: AdmissionAttributes): ApiObject | undefined {
  return operation === "CREATE" && subresource === "" && collectionOf(type) === "pods" ? draft : undefined;
}

/** Returns whether it is a mirror Pod: one from a node's own manifests. */
function isMirror({ metadata }: ApiObject): boolean {
  return metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined;
}

/**
 * Checks a mirror Pod. It already runs on its node, so it can use nothing of the cluster. @throws
 * ApiStatusError 403
 */
function checkMirror(attributes: AdmissionAttributes, pod: ApiObject): void {
  const spec = object(pod.spec);
  if (text(spec.serviceAccountName) !== "") {
    throw forbiddenBy(attributes, "a mirror pod may not reference service accounts");
  }
  if (referencesSecrets(spec)) throw forbiddenBy(attributes, "a mirror pod may not reference secrets");
  const projected = objects(spec.volumes).flatMap(({ projected: volume }) => objects(object(volume).sources));
  if (projected.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw forbiddenBy(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

function give(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  account: ApiObject | undefined,
  { random }: AdmissionContext,
): void {
  if (account === undefined) throw missing(attributes, text(spec.serviceAccountName));
  const automount = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  if (automount !== false) mountToken(spec, random);
  const secrets = objects(account.imagePullSecrets);
  if (objects(spec.imagePullSecrets).length === 0 && secrets.length > 0) {
    spec.imagePullSecrets = structuredClone(secrets) as JsonValue;
  }
}

function missing(attributes: AdmissionAttributes, name: string) {
  const { namespace } = attributes;
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  return forbiddenBy(attributes, why);
}

function findAccount(
  { namespace }: AdmissionAttributes,
  name: string,
  { store }: Pick<AdmissionContext, "store">,
): ApiObject | undefined {
  return store.get("serviceaccounts", `${namespace}/${name}`)?.object;
}

/** Resolves with the account, or with undefined if it does not appear in time. */
function waitForDefault(
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<ApiObject | undefined> {
  const { store, clock } = context;
  const { signal } = attributes.request;
  return new Promise((resolve) => {
    const finish = () => {
      stopTimer();
      stopWatch();
      signal.removeEventListener("abort", finish);
      resolve(findAccount(attributes, "default", context));
    };
    const stopTimer = startTimer(clock, accountTimeout, finish);
    const stopWatch = store.watch("serviceaccounts", store.revision, ({ current }) => {
      if (current.key === `${attributes.namespace}/default`) finish();
    });
    signal.addEventListener("abort", finish);
  });
}
