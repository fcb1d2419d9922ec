import { isAlreadyExists, serviceAccounts } from "@operator-path/client";
import { createWorkQueue, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";

const name = "default";

/**
 * Creates the ServiceAccount "default" in every namespace, and again if it is deleted. Pods that name no
 * other account run as this one. (Kubernetes: pkg/controller/serviceaccount, serviceaccounts_controller.go.)
 */
export function createServiceAccountController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });

  informers.namespaces.addEventHandler({
    added: (namespace) => queue.add(nameOf(namespace)),
    updated: (_old, namespace) => queue.add(nameOf(namespace)),
  });
  informers.serviceAccounts.addEventHandler({
    deleted: (account) => queue.add(namespaceOf(unwrapTombstone(account))),
  });
  return runController(context, { name: "serviceaccount", queue, workers: 1, reconcile });

  async function reconcile(namespaceName: string): Promise<void> {
    const namespace = informers.namespaces.lister.get(namespaceName);
    if (namespace === undefined || isBeingDeleted(namespace)) return;
    if (informers.serviceAccounts.lister.namespace(namespaceName).get(name) !== undefined) return;
    await client
      .resource(serviceAccounts)
      .namespace(namespaceName)
      .create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: namespaceName } })
      .catch((error) => {
        if (!isAlreadyExists(error)) throw error;
      });
  }
}
