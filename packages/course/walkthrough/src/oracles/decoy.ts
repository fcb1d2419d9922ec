import { isDeepStrictEqual } from "node:util";
import {
  type Client,
  createClient,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeConfig,
  type KubeObject,
  namespaces,
  type PatchBodies,
} from "@operator-path/client";
import { createInformerFactory, type InformerFactory, unwrapTombstone } from "@operator-path/informers";
import { type Imitation, imitations } from "./imitations.ts";

/** A namespace with objects that share names and labels with the page's objects. */
export interface Decoy {
  /** Returns the changes that other clients made to its objects, one line each. */
  changes(): readonly string[];
  close(): Promise<void>;
}

/** The name occurs nowhere else, so terminals can hide the lines that contain it. */
export const decoyNamespace = "operator-path-decoy";

/**
 * Fills a second namespace with a decoy of each Pod, Deployment and Service of the page: it has the same name
 * and labels, and does nothing. A controller that lists without a namespace shows decoys in its output, and
 * one that writes to the wrong namespace changes them. Decoys keep their first labels, so an operator that
 * labels both objects is detected. Resolves once the caches have synced.
 */
export async function startDecoy(kubeConfig: KubeConfig): Promise<Decoy> {
  const client = createClient(kubeConfig, { userAgent: "walkthrough", onWarning: () => {} });
  const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
  await client.resource(namespaces).create({ metadata: { name: decoyNamespace, labels } });
  const stop = new AbortController();
  const informers = createInformerFactory(client, { watchList: false });
  const { ofPods, ofDeployments, ofServices } = imitations(decoyNamespace);
  const followers = [
    follow(ofPods, client, informers),
    follow(ofDeployments, client, informers),
    follow(ofServices, client, informers),
  ];
  informers.start(stop.signal);
  await informers.waitForSync(stop.signal);
  return {
    changes: () => followers.flatMap(({ changes }) => changes),
    async close() {
      stop.abort();
      await informers.shutdown();
      await Promise.all(followers.map(({ settled }) => settled()));
      await client.close();
    },
  };
}

interface Follower {
  readonly changes: string[];
  settled(): Promise<unknown>;
}

/** A decoy. */
interface DecoyState {
  /** UID of the original. */
  readonly of: string;
  /** The decoy as this run wrote it last. */
  written?: KubeObject;
}

function follow<T extends KubeObject>(
  { resource, imitate, status }: Imitation<T>,
  client: Client,
  informers: InformerFactory,
): Follower {
  const inNamespace = client.resource(resource).namespace(decoyNamespace);
  const known = new Map<string, DecoyState>();
  const changes: string[] = [];
  // One write at a time: the next comparison uses the result of the last write.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): void => {
    last = last.then(work).catch((error: Error) => {
      // The run is ending, or another client deleted the decoy. The delete event reports that.
      if (!isNotFound(error) && !isConflict(error) && !isAlreadyExists(error) && error.name !== "AbortError")
        changes.push(`the decoys of ${resource.plural} could not be written: ${error.message}`);
    });
  };
  const report = (before: KubeObject, after: KubeObject): void => {
    const fields = changedFields(before, after);
    if (fields.length > 0)
      changes.push(
        `${resource.plural} ${after.metadata?.name} in another namespace was changed: ${fields.join(", ")}`,
      );
  };

  const write = (original: T, old?: T): void => {
    const { name = "", uid = "", deletionTimestamp } = original.metadata ?? {};
    if (deletionTimestamp) return;
    inTurn(async () => {
      const decoy = known.get(name) ?? { of: uid };
      if (decoy.of !== uid) return;
      if (!decoy.written) {
        known.set(name, decoy);
        decoy.written = await inNamespace.create(imitate(original));
      }
      const seen = status?.(original);
      if (!seen || isDeepStrictEqual(seen, old && status?.(old))) return;
      const options = { type: "merge", subresource: "status" } as const;
      const patched = await inNamespace.patch(name, { status: seen } as PatchBodies<T>["merge"], options);
      // The answer contains what other clients changed meanwhile.
      report(decoy.written, patched);
      decoy.written = patched;
    });
  };
  const remove = ({ metadata }: T): void =>
    inTurn(async () => {
      const { name = "", uid } = metadata ?? {};
      const decoy = known.get(name);
      if (decoy?.of !== uid || !decoy) return;
      known.delete(name);
      await inNamespace.delete(name);
    });

  /** Compares a decoy with our last write, unless a newer write of ours is on its way. */
  const inspect = (decoy: T, isDeleted: boolean): void =>
    inTurn(async () => {
      const { name = "" } = decoy.metadata ?? {};
      const written = known.get(name)?.written;
      if (!written || written.metadata?.uid !== decoy.metadata?.uid) return;
      if (isDeleted) changes.push(`${resource.plural} ${name} in another namespace was deleted`);
      else if (versionOf(decoy) > versionOf(written)) report(written, decoy);
    });

  const isDecoy = ({ metadata }: KubeObject): boolean => metadata?.namespace === decoyNamespace;
  const isPages = ({ metadata }: KubeObject): boolean =>
    metadata?.namespace !== decoyNamespace && !metadata?.namespace?.startsWith("kube-");
  informers.informer(resource).addEventHandler({
    added: (object) => isPages(object) && isPageObject(object) && write(object),
    updated: (old, object) => {
      if (isDecoy(object)) inspect(object, false);
      else if (isPages(object) && isPageObject(object)) write(object, old);
    },
    deleted: (deleted) => {
      const object = unwrapTombstone(deleted);
      if (isDecoy(object)) inspect(object, true);
      else if (isPages(object)) remove(object);
    },
  });
  return { changes, settled: () => last };
}

/** Reports false for the Service of the API server, which belongs to no page. */
function isPageObject({ metadata }: KubeObject): boolean {
  return metadata?.namespace !== "default" || metadata.name !== "kubernetes";
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata?.resourceVersion ?? 0);
}

/** Returns the fields that differ. Ignores the status, which Kubernetes controllers write. */
function changedFields(a: KubeObject, b: KubeObject): string[] {
  const parts = (object: KubeObject): Record<string, unknown> => {
    const { labels, annotations, ownerReferences, finalizers, deletionTimestamp } = object.metadata ?? {};
    const own = Object.entries(annotations ?? {}).filter(
      ([name]) => !name.startsWith("deployment.kubernetes.io/"),
    );
    const {
      apiVersion: _,
      kind: _kind,
      metadata: _metadata,
      status: _status,
      ...rest
    } = object as object & Record<string, unknown>;
    return {
      ...rest,
      "metadata.labels": labels ?? {},
      "metadata.annotations": Object.fromEntries(own),
      "metadata.ownerReferences": ownerReferences ?? [],
      "metadata.finalizers": finalizers ?? [],
      "metadata.deletionTimestamp": deletionTimestamp,
    };
  };
  const [before, after] = [parts(a), parts(b)];
  return Object.keys({ ...before, ...after }).filter((key) => !isDeepStrictEqual(before[key], after[key]));
}
