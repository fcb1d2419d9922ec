import { isDeepStrictEqual } from "node:util";
import { type Endpoints, isNotFound, type Service } from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import {
  type Controller,
  type ControllerContext,
  isNamespaceTerminating,
  runController,
} from "../controller.ts";
import { headlessLabel, isHeadless } from "../endpoint-slice/endpoint-slice.ts";
import { enqueueServices, selectsPod } from "../endpoint-slice/services-of-pod.ts";
import { createTriggerTimes, lastChangeTriggerTimeAnnotation } from "../endpoint-slice/trigger-time.ts";
import { createMutationCache } from "../mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";
import { endpoints } from "../resources.ts";
import { subsetsOf } from "./subsets.ts";

const managedByLabel = "endpoints.kubernetes.io/managed-by";
const managedBy = "endpoint-controller";

/**
 * Keeps the older form of EndpointSlices, which `kubectl get endpoints` and many clients still read: one object a
 * Service, under its name. (Kubernetes: pkg/controller/endpoint.)
 */
export function createEndpointsController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const recorder = context.recorder("endpoint-controller");
  const queue = createWorkQueue<string>({ clock });
  const cache = createMutationCache(informers.endpoints);
  const triggers = createTriggerTimes();

  enqueueServices(informers, queue);
  informers.endpoints.addEventHandler({
    deleted: (deleted) => queue.add(keyOf(unwrapTombstone(deleted))),
  });
  return runController(context, { name: "endpoints", queue, workers: 5, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const service = informers.services.lister.namespace(namespace).get(name);
    const cached = informers.endpoints.lister.namespace(namespace).get(name);
    const [current] = cache.overlay(
      cached === undefined ? [] : [cached],
      (object) => namespaceOf(object) === namespace && nameOf(object) === name,
    );
    if (service === undefined) {
      triggers.forget(key);
      // Endpoints have no owner: with the Service goes what was made for it, by whomever.
      if (current !== undefined) await remove(current);
      return;
    }
    if (service.spec?.type === "ExternalName" || service.spec?.selector === undefined) return;
    const pods = informers.pods.lister
      .namespace(namespace)
      .list()
      .filter((pod) => selectsPod(service, pod));
    const changedAt = triggers.changedAt(service, pods);
    const subsets = subsetsOf(service, pods);
    if (current !== undefined && isUpToDate(current, service, subsets)) return;
    await save(service, current, subsets, changedAt);
  }

  async function save(
    service: Service,
    current: Endpoints | undefined,
    subsets: NonNullable<Endpoints["subsets"]>,
    changedAt: string | undefined,
  ): Promise<void> {
    const { [lastChangeTriggerTimeAnnotation]: _old, ...others } = current?.metadata?.annotations ?? {};
    const annotations =
      changedAt === undefined ? others : { ...others, [lastChangeTriggerTimeAnnotation]: changedAt };
    const { subsets: _before, ...rest } = current ?? {};
    const wanted: Endpoints = {
      ...rest,
      metadata: {
        ...current?.metadata,
        name: nameOf(service),
        namespace: namespaceOf(service),
        labels: labelsFor(service),
        annotations,
      },
      ...(subsets.length > 0 && { subsets }),
    };
    const inNamespace = client.resource(endpoints).namespace(namespaceOf(service));
    try {
      cache.written(
        current === undefined ? await inNamespace.create(wanted) : await inNamespace.update(wanted),
      );
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      const message = error instanceof Error ? error.message : String(error);
      const what = `endpoint${current === undefined ? " for service" : ""} ${keyOf(service)}: ${message}`;
      const [reason, text] =
        current === undefined
          ? ["FailedToCreateEndpoint", `Failed to create ${what}`]
          : ["FailedToUpdateEndpoint", `Failed to update ${what}`];
      recorder.event({ apiVersion: "v1", kind: "Endpoints", ...wanted }, "Warning", reason, text);
      throw error;
    }
  }

  async function remove(current: Endpoints): Promise<void> {
    const preconditions = { uid: uidOf(current) };
    await client
      .resource(endpoints)
      .namespace(namespaceOf(current))
      .delete(nameOf(current), { preconditions })
      .catch((error) => {
        if (!isNotFound(error)) throw error;
      });
    cache.removed(current);
  }
}

function isUpToDate(current: Endpoints, service: Service, subsets: object[]): boolean {
  const { [headlessLabel]: _headless, ...labels } = current.metadata?.labels ?? {};
  const { [headlessLabel]: _wanted, ...wanted } = labelsFor(service);
  return isDeepStrictEqual(labels, wanted) && isDeepStrictEqual(current.subsets ?? [], subsets);
}

function labelsFor(service: Service): Record<string, string> {
  const { [headlessLabel]: _reserved, ...own } = service.metadata?.labels ?? {};
  return { ...own, ...(isHeadless(service) && { [headlessLabel]: "" }), [managedByLabel]: managedBy };
}
