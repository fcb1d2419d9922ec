/**
 * A small operator as a program: each Shop owns a ConfigMap. The first argument is a mistake that it makes.
 * Without one, it makes none.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  configMaps,
  createClient,
  defineResource,
  isConflict,
  isNotFound,
  KubeConfig,
  type KubeObject,
} from "@operator-path/client";

interface Shop extends KubeObject {
  spec: { text: string };
  status?: object;
}

const shops = defineResource<Shop>({
  ...{ group: "example.com", version: "v1", kind: "Shop", plural: "shops", namespaced: true },
});

const mistake = process.argv[2];
if (mistake === "exits") throw new Error("this operator cannot start");
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const client = createClient(kubeConfig);
/** Shops whose ConfigMap was created, and the generation for which it was written last. */
const seen = new Map<string, number>();
let first = true;
let turn = 0;

while (true) {
  turn++;
  const { items } = await client.resource(shops).list();
  for (const shop of items) {
    await reconcile(shop).catch((error: unknown) => {
      if (isConflict(error) || isNotFound(error)) return;
      console.error(
        JSON.stringify({ level: "error", error: (error as Error).message, msg: "Reconciler error" }),
      );
    });
  }
  first = false;
  await sleep(200);
}

async function reconcile(shop: Shop): Promise<void> {
  const { namespace = "", name = "", uid = "", generation = 0, deletionTimestamp } = shop.metadata ?? {};
  if (deletionTimestamp) return;
  if (mistake === "keeps its finalizer" && !shop.metadata?.finalizers) {
    await client
      .resource(shops)
      .namespace(namespace)
      .patch(name, { metadata: { finalizers: ["example.com/kept"] } }, { type: "merge" });
  }
  const last = seen.get(uid);
  seen.set(uid, generation);
  if (mistake === "creates nothing") return;
  if (mistake === "throws") throw new TypeError("text is not a function");
  if (mistake === "creates once" && last !== undefined) return;
  if (mistake === "knows only news" && (last === generation || (first && shop.status))) return;
  // The checklist stops it as soon as the ConfigMap is there. Without a status, it would take the shop for new.
  if (mistake === "knows only news") await writeStatus(shop);
  const owner = { apiVersion: "example.com/v1", kind: "Shop", name, uid, controller: true };
  const verbs = client.resource(configMaps).namespace(namespace);
  const isThere = await verbs.get(name).then(
    () => true,
    () => false,
  );
  if (!isThere || mistake !== "never updates") {
    await verbs.patch(
      name,
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name,
          ...(mistake !== "forgets the owner" && { ownerReferences: [owner] }),
          ...(mistake === "is restless" && { annotations: { turn: `${turn}` } }),
        },
        data: { text: shop.spec.text },
      } as never,
      { type: "apply", fieldManager: "shop-operator", force: true },
    );
  }
  if (mistake === "deletes old objects" && generation > 1) {
    await verbs.delete(`${name}-old`).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
  if (mistake !== "knows only news") await writeStatus(shop);
}

async function writeStatus(shop: Shop): Promise<void> {
  const { namespace = "", generation = 0 } = shop.metadata ?? {};
  if (mistake === "has no status") return;
  const condition = {
    ...{ type: "Ready", status: "True", reason: "Written", message: "" },
    lastTransitionTime: "2026-01-01T00:00:00Z",
    observedGeneration: mistake === "reports the first generation" ? 1 : generation,
  };
  if (JSON.stringify(shop.status) === JSON.stringify({ conditions: [condition] })) return;
  const status = { conditions: [condition] };
  const changed = { ...shop, status };
  if (mistake === "writes the status into the object") {
    await client.resource(shops).namespace(namespace).update(changed);
  } else await client.resource(shops).namespace(namespace).updateStatus(changed);
}
