import { createClient, customResourceDefinitions, type KubeConfig } from "@operator-path/client";
import { webDefinition, webs } from "./operator/web.ts";

/** web-0, web-1, …: objects of which no operator has heard yet. */
export async function populate(kubeConfig: KubeConfig, objects: number, signal: AbortSignal): Promise<void> {
  const client = createClient(kubeConfig);
  try {
    await client.resource(customResourceDefinitions).create(webDefinition, { signal });
    const own = client.resource(webs).namespace("default");
    for (let index = 0; index < objects; index++) {
      await own.create({ metadata: { name: `web-${index}` }, spec: {} }, { signal });
    }
  } finally {
    await client.close();
  }
}
