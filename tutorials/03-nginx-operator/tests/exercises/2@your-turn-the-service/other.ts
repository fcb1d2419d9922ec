import { isDeepStrictEqual } from "node:util";
import { type Service, services } from "@operator-path/client";
import type { Client, Logger } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { find, labelsFor, metadataFor } from "./objects.ts";

/** Creates the Service of an OvhNginx, or updates it if it differs from the spec. */
export async function reconcileService(client: Client, ovhNginx: OvhNginx, log: Logger): Promise<Service> {
  const selector = labelsFor(ovhNginx);
  const { port } = ovhNginx.spec;
  const found = await find(client, services, ovhNginx);
  if (!found) {
    log.info("✨ Creating a new Service");
    const ports = [{ name: "http", port, targetPort: "http" }];
    const spec = { type: "LoadBalancer" as const, selector, ports };
    return client.create({ apiVersion: "v1", kind: "Service", metadata: metadataFor(ovhNginx), spec });
  }
  const [first] = found.spec?.ports ?? [];
  const isRight = first?.port === port && found.spec?.type === "LoadBalancer";
  if (isRight && isDeepStrictEqual(found.spec?.selector, selector)) return found;
  const changed = structuredClone(found) as Service;
  const ports = [{ ...first, name: "http", port, targetPort: "http" }];
  changed.spec = { ...changed.spec, type: "LoadBalancer", selector, ports };
  return client.update(changed);
}
