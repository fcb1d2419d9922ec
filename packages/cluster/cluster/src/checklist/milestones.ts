import { setTimeout as sleep } from "node:timers/promises";
import {
  type ApiError,
  type Client,
  type Deployment,
  isForbidden,
  isInvalid,
  type KubeObject,
  type PodTemplateSpec,
  pods,
} from "@operator-path/client";
import { deployedRights, serviceAccountKubeConfig } from "../testing-cluster/rights.ts";
import type { AnyObject } from "./capstone.ts";
import { find, merge, nameOf, verbsFor } from "./objects.ts";
import { createSample, missing, NotYet, type Scene, sampleIn } from "./scene.ts";

/** A behaviour of a good operator. */
export interface Milestone {
  readonly title: string;
  /**
   * Resolves if the operator behaves so.
   *
   * @throws NotYet with what is wrong, and what to do
   */
  check(scene: Scene): Promise<void>;
}

/** The milestones, in the order in which an operator reaches them. */
export const milestones: readonly Milestone[] = [
  { title: "the CRD accepts the sample and rejects bad ones", check: checkCrd },
  { title: "the sample leads to the objects that it owns", check: checkOwned },
  { title: "a deleted object comes back", check: checkRepair },
  { title: "a changed spec reaches the objects", check: checkChange },
  { title: "the status has a condition for the current generation", check: checkStatus },
  { title: "nothing is written when nothing changes", check: checkRest },
  { title: "a restarted operator catches up", check: checkRestart },
  { title: "nothing is left of a deleted sample", check: checkDeletion },
  { title: "its own permissions are enough, and none is a wildcard", check: checkPermissions },
  { title: "its Pods may run under the standard restricted", check: checkRestricted },
];

async function checkCrd(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  await scene.install();
  const namespace = await scene.namespace();
  const verbs = await verbsFor(client, capstone.sample, namespace);
  const sample = sampleIn(capstone.sample, namespace);
  const options = { dryRun: true, fieldValidation: "Strict" } as const;
  await verbs.create(sample, options).catch((error: unknown) => {
    throw new NotYet(`The server rejects the sample: ${messageOf(error)}. Add its fields to your types.`);
  });
  for (const patch of capstone.rejects) {
    const accepted = await verbs.create(merge(sample, patch), options).then(
      () => true,
      (error: unknown) => {
        const unknown = /unknown field "([^"]+)"/.exec(messageOf(error))?.[1];
        if (unknown !== undefined) {
          throw new NotYet(
            `capstone.yaml: rejects: ${JSON.stringify(patch)}: the CRD has no field ${unknown}, so this proves no validation. Correct the field's name in capstone.yaml, or add the field to your types.`,
          );
        }
        if (isInvalid(error) || isForbidden(error) || (error as ApiError).code === 400) return false;
        throw error;
      },
    );
    if (accepted) {
      throw new NotYet(
        `The server accepts the sample with ${JSON.stringify(patch)}. Add a validation marker for this field.`,
      );
    }
  }
}

/** Starts the operator, creates the sample, and waits for its objects. Returns its namespace. */
async function reachOwned(scene: Scene): Promise<string> {
  await scene.start();
  const namespace = await createSample(scene);
  await scene.reach(async () => {
    const complaint = await missing(scene, scene.capstone.owns, namespace);
    return complaint && `${complaint} Create it as the sample asks, in your reconcile function.`;
  });
  return namespace;
}

async function checkOwned(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  const owner = await find(client, capstone.sample, namespace);
  for (const object of capstone.owns) {
    const { metadata } = (await find(client, object, namespace)) ?? {};
    const owners = metadata?.ownerReferences ?? [];
    if (owners.some(({ uid, controller }) => controller && uid === owner?.metadata?.uid)) continue;
    throw new NotYet(
      `${nameOf(object)} does not name the sample as its controller. Use setControllerReference before you send it.`,
    );
  }
}

async function checkRepair(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  for (const object of capstone.owns) {
    await (await verbsFor(client, object, namespace)).delete(object.metadata?.name ?? "");
    await scene.until(async () => {
      const complaint = await missing(scene, capstone.owns, namespace);
      return complaint && `After its deletion: ${complaint} Watch this kind: \`.owns(…)\`.`;
    });
  }
}

async function change({ client, capstone }: Scene, namespace: string): Promise<void> {
  const verbs = await verbsFor(client, capstone.sample, namespace);
  const patch = capstone.change.patch as Partial<AnyObject>;
  await verbs.patch(capstone.sample.metadata.name, patch as never, { type: "merge" });
}

async function checkChange(scene: Scene): Promise<void> {
  const namespace = await reachOwned(scene);
  await change(scene, namespace);
  await scene.until(async () => {
    const complaint = await missing(scene, scene.capstone.change.owns, namespace);
    return complaint && `After the change: ${complaint} Update the object if it differs.`;
  });
}

interface Status {
  readonly conditions?: readonly { readonly type: string; readonly observedGeneration?: number }[];
}

async function checkStatus(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  const complain = async (): Promise<string | undefined> => {
    const sample = await find(client, capstone.sample, namespace);
    const { conditions = [] } = (sample?.status ?? {}) as Status;
    if (conditions.length === 0)
      return "The sample's status has no condition. Set one with setStatusCondition, and write it with client.status.";
    const { generation, managedFields = [] } = sample?.metadata ?? {};
    // Without the subresource, each write of the status counts as a change of the spec.
    if (!managedFields.some(({ subresource }) => subresource === "status"))
      return "The status is not written through its subresource. Add the marker +kubebuilder:subresource:status, and write with client.status.";
    const stale = conditions.find(({ observedGeneration }) => observedGeneration !== generation);
    return (
      stale &&
      `The condition ${stale.type} has the observedGeneration ${stale.observedGeneration ?? "(none)"}, and the sample has the generation ${generation}. Copy metadata.generation into it.`
    );
  };
  await scene.until(complain);
  await change(scene, namespace);
  await scene.until(complain);
}

/** Milliseconds for which the operator must not write. */
const rest = 1_500;

async function checkRest(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  const versions = async () => {
    const objects = [capstone.sample, ...capstone.owns];
    const found = await Promise.all(objects.map((object) => find(client, object, namespace)));
    return objects.map((object, index) => ({
      name: nameOf(object),
      version: found[index]?.metadata?.resourceVersion,
    }));
  };
  const differing = async (before: Awaited<ReturnType<typeof versions>>) => {
    await sleep(rest);
    const after = await versions();
    return after.find(({ version }, index) => version !== before[index]?.version)?.name;
  };
  const advice = "Compare before you write, or use apply, and write nothing that changes each time.";
  // The operator, and the controllers of its objects, may still be at work.
  await scene.until(async () => {
    const name = await differing(await versions());
    return name && `${name} is written again and again although nothing changes. ${advice}`;
  });
  // An annotation wakes the operator, and asks for nothing.
  const verbs = await verbsFor(client, capstone.sample, namespace);
  const metadata = { annotations: { "operator-path/checklist": "woken" } };
  await verbs.patch(capstone.sample.metadata.name, { metadata } as never, { type: "merge" });
  const name = await differing(await versions());
  if (name)
    throw new NotYet(`${name} is written although only an annotation of the sample changed. ${advice}`);
}

async function checkRestart(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  await scene.stop();
  await change(scene, namespace);
  for (const object of capstone.owns)
    await (await verbsFor(client, object, namespace)).delete(object.metadata?.name ?? "");
  await scene.start();
  await scene.until(async () => {
    const complaint = await missing(scene, capstone.change.owns, namespace);
    return (
      complaint &&
      `The spec changed while the operator was stopped. After its restart: ${complaint} Compare the cluster with the spec in each reconcile, and remember nothing in the process.`
    );
  });
}

async function checkDeletion(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const namespace = await reachOwned(scene);
  const verbs = await verbsFor(client, capstone.sample, namespace);
  await verbs.delete(capstone.sample.metadata.name);
  await scene.until(async () => {
    for (const object of [capstone.sample, ...capstone.owns]) {
      const found = await find(client, object, namespace);
      if (!found) continue;
      const { finalizers = [], deletionTimestamp } = found.metadata ?? {};
      return deletionTimestamp && finalizers.length > 0
        ? `${nameOf(object)} still has the finalizer ${finalizers[0]}. Remove it when your work is done.`
        : `The sample is deleted, and ${nameOf(object)} is still there. Set an owner reference, or delete it under a finalizer.`;
    }
    return undefined;
  });
}

async function checkPermissions(scene: Scene): Promise<void> {
  const { cluster, client } = scene;
  await scene.install();
  const manifests = await scene.manifests();
  const { metadata, spec } = deploymentIn(manifests);
  const account = {
    namespace: metadata?.namespace ?? "",
    name: spec?.template.spec?.serviceAccountName ?? "",
  };
  const rights = await deployedRights(client, manifests, account).catch((error: unknown) => {
    throw new NotYet(`The server rejects your permissions: ${messageOf(error)}`);
  });
  const wildcard = rights.default?.find((line) => line.includes("*"));
  if (wildcard) throw new NotYet(`The role allows \`${wildcard}\`. Name each group, resource and verb.`);
  try {
    await scene.start(await serviceAccountKubeConfig(cluster, account));
    await checkOwned(asIs(scene));
    await checkRepair(asIs(scene));
    await checkChange(asIs(scene));
    // An operator that may not do the rest of its work does not get as far as its status.
    await checkStatus(asIs(scene));
  } catch (error) {
    if (!(error instanceof NotYet)) throw error;
    const refusal = scene.lastError(/forbidden/);
    const shown =
      refusal === undefined || error.message.includes(refusal) ? "" : `\nThe server refused: ${refusal}`;
    throw new NotYet(
      `With the permissions of ${account.name}: ${error.message}${shown}\n${markerFor(refusal ?? error.message)}`,
    );
  } finally {
    await scene.stop();
  }
}

/** Returns advice: the marker that allows what the server has refused. */
function markerFor(refusal: string): string {
  const refused = /cannot (\S+) resource "([^"]+)" in API group "([^"]*)"/.exec(refusal);
  if (refused) {
    const [, verb, resource, group] = refused;
    return `Add a marker: +kubebuilder:rbac:groups=${group || "core"},resources=${resource},verbs=${verb}`;
  }
  return "Compare its +kubebuilder:rbac markers with all that it reads and writes.";
}

/** Returns the scene, which keeps the operator that runs. */
function asIs(scene: Scene): Scene {
  return { ...scene, start: async () => {} };
}

async function checkRestricted(scene: Scene): Promise<void> {
  const { client, capstone } = scene;
  const manifests = await scene.manifests();
  const operator = deploymentIn(manifests);
  const home = manifests.find(({ kind }) => kind === "Namespace")?.metadata?.labels ?? {};
  if (home["pod-security.kubernetes.io/enforce"] !== "restricted")
    throw new NotYet(
      "The operator's own namespace does not enforce restricted. Set the label pod-security.kubernetes.io/enforce in config/manager/manager.yaml.",
    );
  const namespace = await reachOwned(scene);
  const owned = await Promise.all(capstone.owns.map((object) => find(client, object, namespace)));
  for (const object of [operator as AnyObject, ...owned]) {
    const template = templateOf(object);
    if (object && template) await tryPod(client, nameOf(object), template, namespace);
  }
}

function templateOf(object: AnyObject | undefined): PodTemplateSpec | undefined {
  return (object?.spec as { template?: PodTemplateSpec } | undefined)?.template;
}

async function tryPod(
  client: Client,
  name: string,
  { metadata, spec }: PodTemplateSpec,
  namespace: string,
): Promise<void> {
  // The account of the operator exists only in the operator's namespace.
  const pod = { metadata: { ...metadata, name: "trial" }, spec: { ...spec, serviceAccountName: "default" } };
  const created = client
    .resource(pods)
    .namespace(namespace)
    .create(pod as never, { dryRun: true });
  await created.catch((error: unknown) => {
    throw new NotYet(
      `A Pod of ${name} is rejected: ${messageOf(error)}. Complete the securityContext of its container.`,
    );
  });
}

function deploymentIn(manifests: readonly KubeObject[]): Deployment {
  const found = manifests.find(({ kind }) => kind === "Deployment");
  if (!found) throw new NotYet("config/default has no Deployment of the operator.");
  return found as Deployment;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
