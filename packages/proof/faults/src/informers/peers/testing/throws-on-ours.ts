/** A program whose handler throws on the object "a" and exits on "b", on our informer. */
import { configMaps, createClient, KubeConfig } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";

const [server = "", how] = process.argv.slice(2);
const kubeConfig = new KubeConfig();
kubeConfig.loadFromClusterAndUser({ name: "peers", server, skipTLSVerify: true }, { name: "test" });
const client = createClient(kubeConfig);
const stop = new AbortController();
const informer = createSharedInformer(client, configMaps, { namespace: "shop" });

function fail(): void {
  throw new Error("the handler fails");
}
informer.addEventHandler({
  added({ metadata }) {
    console.log(`seen: ${metadata?.name}`);
    if (metadata?.name !== "a") return stop.abort();
    return how === "rejects" ? Promise.resolve().then(fail) : fail();
  },
});
await informer.run(stop.signal);
await client.close();
