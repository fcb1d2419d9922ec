import { KubeConfig } from "@kubernetes/client-node";
import { createClient } from "@operator-path/client";
import { createEventRecorder, createInformerFactory } from "@operator-path/informers";
import { createController } from "./controller.ts";

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const client = createClient(kubeConfig, { userAgent: "podbuggertool" });
const informers = createInformerFactory(client);
const recorder = createEventRecorder(client, { component: "podbuggertool" });
const controller = createController(client, informers, recorder);

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

informers.start(stop.signal);
// Rejects if the signal aborts before the caches are full. Then there is nothing to finish.
await informers.waitForSync(stop.signal).catch(() => {});
if (!stop.signal.aborted) {
  console.log("PodBuggerTool is watching");
  await controller.run(stop.signal);
}

await informers.shutdown();
await recorder.flush();
await client.close();
console.log("PodBuggerTool has stopped");
