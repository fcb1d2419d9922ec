/** A program whose handler throws on the object "a" and exits on "b", on client-node's informer. */
import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";

const [server = ""] = process.argv.slice(2);
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "peers", server, skipTLSVerify: true }, { name: "test" });
const api = kubeConfig.makeApiClient(CoreV1Api);
const informer = makeInformer(kubeConfig, "/api/v1/namespaces/shop/configmaps", () =>
  api.listNamespacedConfigMap({ namespace: "shop" }),
);
informer.on("add", ({ metadata }) => {
  console.log(`seen: ${metadata?.name}`);
  if (metadata?.name === "a") throw new Error("the handler fails");
  void informer.stop();
});
await informer.start();
