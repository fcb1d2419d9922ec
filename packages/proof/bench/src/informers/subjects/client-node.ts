import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from "@kubernetes/client-node";
import { resources } from "../server/recording.ts";
import type { StartSubject } from "./subject.ts";

/**
 * @kubernetes/client-node's informer as in its README.
 *
 * @param limit objects a page. The informer itself has no pages; its list function may join them.
 */
export function clientNode(limit?: number): StartSubject {
  return async (resource, onObject) => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromDefault();
    const page = pageOf(kubeConfig, resource);
    const list = limit === undefined ? () => page() : () => allPages(page, limit);
    const informer = makeInformer(kubeConfig, resources[resource].path, list);
    informer.on("change", ({ metadata }) =>
      onObject(`${metadata?.namespace}/${metadata?.name}`, metadata?.resourceVersion ?? ""),
    );
    informer.on("error", (error) => console.error(`client-node: ${error}`));
    return { informer, synced: informer.start() };
  };
}

type Page = (limit?: number, _continue?: string) => Promise<KubernetesListObject<KubernetesObject>>;

function pageOf(kubeConfig: KubeConfig, resource: string): Page {
  if (resource === "pods") {
    const api = kubeConfig.makeApiClient(CoreV1Api);
    return (limit, _continue) => api.listPodForAllNamespaces({ limit, _continue });
  }
  const api = kubeConfig.makeApiClient(CustomObjectsApi);
  const where = { group: "bench.example.com", version: "v1", resourcePlural: "caches" };
  return (limit, _continue) => api.listCustomObjectForAllNamespaces({ ...where, limit, _continue });
}

async function allPages(page: Page, limit: number): Promise<KubernetesListObject<KubernetesObject>> {
  const whole = await page(limit);
  for (let next = whole.metadata?._continue ?? tokenOf(whole); next; ) {
    const more = await page(limit, next);
    for (const item of more.items) whole.items.push(item);
    next = more.metadata?._continue ?? tokenOf(more);
  }
  return whole;
}

/** Lists of custom resources arrive as they are on the wire. */
function tokenOf({ metadata }: KubernetesListObject<KubernetesObject>): string | undefined {
  return (metadata as { continue?: string } | undefined)?.continue;
}
