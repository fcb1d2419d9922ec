import { type Deployment, deployments } from "@operator-path/client";
import {
  addFinalizer,
  containsFinalizer,
  createFinalizers,
  createOrUpdate,
  getControllerOf,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  type ReconcileContext,
  type Request,
  type Result,
  setControllerReference,
  setStatusCondition,
  TerminalError,
  type WriteOptions,
} from "@operator-path/controller-runtime";
import { type Records, recordFinalizer, type Site, sites } from "./site.ts";

export interface SiteReconcilerOptions {
  records: Records;
  /** Milliseconds after which a record is checked again: nothing reports its changes. */
  period: number;
  /** Writes are merge patches instead of updates of whole objects. Both have a precondition. */
  patches: boolean;
  /** Every wait ends at shutdown and after the timeout. */
  heedsSignal: boolean;
}

/**
 * The reconciler of the histories, as an author would write it. Every object that it reads may be old. Every
 * request may fail, be carried out twice, or succeed without an answer. The process may end between any two
 * lines.
 */
export function createSiteReconciler(manager: Manager, options: SiteReconcilerOptions) {
  const { client, apiReader, clock } = manager;
  const { records, period, patches, heedsSignal } = options;
  const finalizers = createFinalizers<Site>();
  finalizers.register(recordFinalizer, async ({ metadata }, signal) => {
    signal?.throwIfAborted();
    await records.remove(`${metadata?.namespace}/${metadata?.name}`, metadata?.uid ?? "");
  });

  const write = (site: Site, wanted: Site, asked: WriteOptions) =>
    patches
      ? client.patch(wanted, mergeFrom(site, { optimisticLock: true }), asked)
      : client.update(wanted, asked);

  async function publish(site: Site, signal: AbortSignal, asked: WriteOptions): Promise<void> {
    const { namespace, name = "", uid = "" } = site.metadata ?? {};
    const size = site.spec?.size ?? 0;
    const record = await records.get(`${namespace}/${name}`);
    if (record?.uid === uid && record.size === size) return;
    if (record?.uid !== uid) await checkThatItLives(site, asked);
    // The manager prevents writes to the cluster after a lost Lease. Only this check protects what is
    // outside.
    signal.throwIfAborted();
    await records.set(`${namespace}/${name}`, { uid, size });
  }

  /**
   * The external record has no version that would reject an outdated write, so this asks the server itself
   * first.
   */
  async function checkThatItLives({ metadata: known }: Site, asked: WriteOptions): Promise<void> {
    const { namespace = "", name = "", uid } = known ?? {};
    const { metadata } = await apiReader.get(sites, { namespace, name }, asked);
    if (
      metadata?.uid !== uid ||
      metadata?.deletionTimestamp ||
      !containsFinalizer({ metadata }, recordFinalizer)
    ) {
      throw new Error("the site was replaced by another of its name");
    }
  }

  /** @returns false if the name belongs to another object */
  async function deploy(site: Site, asked: WriteOptions): Promise<boolean> {
    const { namespace = "", name = "", uid } = site.metadata ?? {};
    const replicas = site.spec?.size ?? 0;
    const child = await client.get(deployments, { namespace, name }, asked).catch(ignoreNotFound);
    if (child && getControllerOf(child)?.uid !== uid) return false;
    if (replicas === 0) {
      if (!child || child.metadata?.deletionTimestamp) return true;
      const { uid: childUid = "", resourceVersion = "" } = child.metadata ?? {};
      const preconditions = { uid: childUid, resourceVersion };
      await client.delete(child, { preconditions, ...asked }).catch(ignoreNotFound);
      return true;
    }
    if (child?.metadata?.deletionTimestamp) return true;
    const wanted: Deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } };
    // An update names its version: a patch would change any object of that name.
    const mutate = (deployment: Deployment) => {
      deployment.spec = { ...podsOf(name), ...deployment.spec, replicas };
      return setControllerReference(site, deployment);
    };
    await createOrUpdate(client, wanted, mutate, asked);
    return true;
  }

  async function report(site: Site, isOurs: boolean, asked: WriteOptions): Promise<void> {
    const observedGeneration = site.metadata?.generation ?? 0;
    const conditions = setStatusCondition(
      site.status?.conditions,
      {
        ...{ type: "Ready", observedGeneration, message: "" },
        ...(isOurs ? { status: "True", reason: "Deployed" } : { status: "False", reason: "NameTaken" }),
      },
      { clock },
    );
    const size = site.spec?.size ?? 0;
    const { status } = site;
    const isSame =
      conditions === status?.conditions &&
      status.observedGeneration === observedGeneration &&
      status.size === size;
    if (isSame) return;
    const wanted = { ...site, status: { ...status, observedGeneration, size, conditions } };
    if (patches) await client.status.patch(wanted, mergeFrom(site, { optimisticLock: true }), asked);
    else await client.status.update(wanted, asked);
  }

  return async (request: Request, { signal }: ReconcileContext): Promise<Result | undefined> => {
    const asked = heedsSignal ? { signal } : {};
    const found = await client.get(sites, request, asked).catch(ignoreNotFound);
    if (!found) return undefined;
    if (found.metadata?.deletionTimestamp) {
      const { object, updated, error } = await finalizers.finalize(found, signal);
      if (updated) await write(found, object, asked).catch(ignoreNotFound);
      if (error) throw error;
      return undefined;
    }
    if ((found.spec?.size ?? 0) < 0) throw new TerminalError(`spec.size is ${found.spec?.size}`);
    const held = addFinalizer(found, recordFinalizer);
    if (held !== found) await write(found, held, asked);
    // Reads again, as reconcilers of several parts do: the object must be the written one, or newer.
    const site = held === found ? found : await client.get(sites, request, asked);
    await publish(site, signal, asked);
    const isOurs = await deploy(site, asked);
    await report(site, isOurs, asked);
    return { requeueAfter: period };
  };
}

function podsOf(app: string) {
  const labels = { app };
  return {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "site", image: "nginx:1" }] } },
  };
}
