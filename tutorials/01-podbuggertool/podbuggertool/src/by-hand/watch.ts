import { setTimeout as sleep } from "node:timers/promises";
import type { V1Pod } from "@kubernetes/client-node";
import { loadKubeConfig } from "./kube-config.ts";
import { watchPods } from "./watch-pods.ts";

const pods = new Map<string, V1Pod>();
process.once("SIGINT", () => {
  for (const key of pods.keys()) console.log(`in the map: ${key}`);
  // Without a handler, this signal ends the program.
  process.kill(process.pid, "SIGINT");
});

for (;;) {
  const error = await watchPods(loadKubeConfig(), pods, (type, key) => console.log(`${type} ${key}`));
  console.log(`the watch ended: ${error}`);
  await sleep(1_000);
}
