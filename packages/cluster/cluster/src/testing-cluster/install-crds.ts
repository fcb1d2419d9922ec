import { setTimeout as sleep } from "node:timers/promises";
import { type Client, customResourceDefinitions, isNotFound } from "@operator-path/client";
import type { FoundCrd } from "./read-crds.ts";

const patience = 10_000;

/**
 * Creates them, and resolves when every version that is to be served is.
 *
 * @throws Error naming where the definition came from, and what the API server has to say
 */
export async function installCrds(client: Client, found: readonly FoundCrd[]): Promise<void> {
  await Promise.all(
    found.map(async ({ object: crd, from }) => {
      try {
        await client.resource(customResourceDefinitions).create(crd);
        await untilServed(client, crd);
      } catch (error) {
        throw new Error(`${from}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }),
  );
}

/** A real API server needs a moment for it; discovery tells. */
async function untilServed(client: Client, { spec }: FoundCrd["object"]): Promise<void> {
  const giveUpAt = performance.now() + patience;
  for (const { name } of spec.versions.filter(({ served }) => served)) {
    while (!(await isServed(client, `/apis/${spec.group}/${name}`, spec.names.plural))) {
      if (performance.now() > giveUpAt) {
        throw new Error(
          `${spec.names.plural}.${spec.group}/${name} is not served after ${patience / 1000} s`,
        );
      }
      await sleep(25);
    }
  }
}

async function isServed(client: Client, path: string, plural: string): Promise<boolean> {
  try {
    const { body } = await client.request({ method: "GET", path });
    const { resources } = JSON.parse(Buffer.from(body).toString()) as { resources: { name: string }[] };
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
