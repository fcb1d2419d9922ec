import { isDeepStrictEqual } from "node:util";
import { type ConfigMap, configMaps, isAlreadyExists } from "@operator-path/client";
import { createWorkQueue, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";

const name = "kube-root-ca.crt";

const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal " +
  "service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/**
 * Publishes the API server's CA certificate in every namespace. Pods find it beside their token. Restores a
 * changed or deleted ConfigMap. Does nothing without a certificate. (Kubernetes:
 * pkg/controller/certificates/rootcacertpublisher.)
 */
export function createRootCaController(context: ControllerContext): Controller {
  const { client, informers, clock, caCertificate } = context;
  const queue = createWorkQueue<string>({ clock });
  const data = { "ca.crt": caCertificate ?? "" };

  informers.namespaces.addEventHandler({
    added: (namespace) => queue.add(nameOf(namespace)),
    updated: (_old, namespace) => queue.add(nameOf(namespace)),
  });
  const enqueueIfOurs = (configMap: ConfigMap) => {
    if (nameOf(configMap) === name) queue.add(namespaceOf(configMap));
  };
  informers.configMaps.addEventHandler({
    updated: (_old, configMap) => enqueueIfOurs(configMap),
    deleted: (configMap) => enqueueIfOurs(unwrapTombstone(configMap)),
  });
  return runController(context, { name: "root-ca-certificate-publisher", queue, workers: 1, reconcile });

  async function reconcile(namespaceName: string): Promise<void> {
    const namespace = informers.namespaces.lister.get(namespaceName);
    if (caCertificate === undefined || namespace === undefined || isBeingDeleted(namespace)) return;
    const existing = informers.configMaps.lister.namespace(namespaceName).get(name);
    const inNamespace = client.resource(configMaps).namespace(namespaceName);
    if (existing === undefined) {
      const metadata = {
        name,
        namespace: namespaceName,
        annotations: { "kubernetes.io/description": description },
      };
      await inNamespace.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data }).catch((error) => {
        if (!isAlreadyExists(error)) throw error;
      });
    } else if (!isDeepStrictEqual({ ...existing.data }, data)) {
      await inNamespace.update({ ...existing, data });
    }
  }
}
