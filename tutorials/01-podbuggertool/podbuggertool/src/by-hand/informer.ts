import { CoreV1Api, makeInformer, type V1Pod } from "@kubernetes/client-node";
import { loadKubeConfig } from "./kube-config.ts";

const kubeConfig = loadKubeConfig();
const labelSelector = "app=payment";
const api = kubeConfig.makeApiClient(CoreV1Api);
const list = () => api.listPodForAllNamespaces({ labelSelector });
const informer = makeInformer<V1Pod>(kubeConfig, "/api/v1/pods", list, labelSelector);

informer.on("add", ({ metadata }) => console.log(`+ ${metadata?.namespace}/${metadata?.name}`));
informer.on("delete", ({ metadata }) => console.log(`- ${metadata?.namespace}/${metadata?.name}`));
informer.on("error", (error) => {
  console.log(`the informer has stopped: ${error}`);
  setTimeout(() => informer.start(), 1_000);
});
await informer.start();
// Keeps the program running, as a server would.
setInterval(() => {}, 60_000);
