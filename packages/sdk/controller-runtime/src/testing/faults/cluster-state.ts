import type { KubeObject } from "@operator-path/client";
import type { Client } from "../../client/client.ts";
import { objectKeyOf } from "../../client/object-key.ts";

/** Objects by name ("Deployment shop/sample"), without what differs from run to run. */
export type ClusterState = ReadonlyMap<string, unknown>;

/** The annotation of another writer. A reconciler that writes blindly removes it. */
export const foreignAnnotation = "example.com/written-by-another-client";

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Returns all objects of the scheme's kinds. */
export async function objectsOf(client: Client): Promise<KubeObject[]> {
  const lists = await Promise.all(client.scheme.resources().map((resource) => client.list(resource)));
  return lists.flat();
}

/**
 * Returns the cluster's objects in a form that is comparable between runs: without versions, times and UIDs.
 */
export async function stateOf(client: Client): Promise<ClusterState> {
  const objects = await objectsOf(client);
  const names = new Map(objects.map((object) => [object.metadata?.uid, `uid of ${nameOf(object)}`]));
  return new Map(objects.map((object) => [nameOf(object), comparable(object, names)]));
}

/** Deletes objects whose owners no longer exist, as the garbage collector does. */
export async function collectGarbage(client: Client): Promise<void> {
  for (;;) {
    const objects = await objectsOf(client);
    const uids = new Set(objects.map(({ metadata }) => metadata?.uid));
    const garbage = objects.filter(({ metadata }) => {
      const owners = metadata?.ownerReferences ?? [];
      return owners.length > 0 && !metadata?.deletionTimestamp && owners.every(({ uid }) => !uids.has(uid));
    });
    if (garbage.length === 0) return;
    for (const object of garbage) await client.delete(object);
  }
}

/** Copies the objects of a namespace into another one. Owner references point to the copies. */
export async function copyNamespace(client: Client, from: string, to: string): Promise<void> {
  const originals = (await objectsOf(client)).filter(({ metadata }) => metadata?.namespace === from);
  const uids = new Map<string | undefined, string | undefined>();
  const copies = new Map<KubeObject, KubeObject>();
  for (const original of originals) {
    const { name, labels, annotations, finalizers } = original.metadata ?? {};
    const metadata = {
      ...{ name, namespace: to, ...(labels && { labels }) },
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
    } as NonNullable<KubeObject["metadata"]>;
    const created = await client.create({ ...original, metadata });
    const status = { ...created, status: (original as { status?: unknown }).status };
    copies.set(original, status.status ? await client.status.update(status) : created);
    uids.set(original.metadata?.uid, created.metadata?.uid);
  }
  for (const [original, copy] of copies) {
    const owners = original.metadata?.ownerReferences;
    if (!owners) continue;
    const ownerReferences = owners.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
    await client.update({ ...copy, metadata: { ...copy.metadata, ownerReferences } });
  }
}

function nameOf(object: KubeObject): string {
  const { namespace, name } = objectKeyOf(object);
  return `${object.kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

function comparable(object: KubeObject, names: ReadonlyMap<string | undefined, string>): unknown {
  const {
    uid: _,
    resourceVersion: __,
    generation: ___,
    creationTimestamp: ____,
    ...metadata
  } = object.metadata ?? {};
  const { [foreignAnnotation]: _____, ...annotations } = metadata.annotations ?? {};
  const text = JSON.stringify({ ...object, metadata: { ...metadata, annotations } });
  return JSON.parse(text, (_key, value) => {
    if (typeof value !== "string") return value;
    return names.get(value) ?? (time.test(value) ? "a time" : value);
  });
}
