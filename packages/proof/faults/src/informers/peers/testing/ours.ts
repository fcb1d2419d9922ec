import { type ConfigMap, configMaps, createClient, KubeConfig } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { createSharedInformer, type EventHandler, type SharedInformer } from "@operator-path/informers";
import { onTestFinished } from "vitest";

export const stores = ["parsed", "lazy", "metadata"] as const;

export interface Ours {
  readonly informer: SharedInformer<ConfigMap>;
  /** The test moves it, so back-off takes no real time. */
  readonly clock: FakeClock;
}

/** Returns our informer of the ConfigMaps at that address, until the test ends. */
export async function startOurs(
  url: string,
  handler: EventHandler<ConfigMap>,
  store: (typeof stores)[number] = "parsed",
): Promise<Ours> {
  const clock = createFakeClock();
  const client = createClient(kubeConfigFor(url));
  const options = { namespace: "shop", clock, random: () => 0.5, log: () => {}, store };
  const informer = createSharedInformer(client, configMaps, options);
  informer.addEventHandler(handler);
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
    await client.close();
  });
  await informer.waitForSync();
  return { informer, clock };
}

export function kubeConfigFor(url: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "peers", server: url, skipTLSVerify: true }, { name: "test" });
  return kubeConfig;
}
