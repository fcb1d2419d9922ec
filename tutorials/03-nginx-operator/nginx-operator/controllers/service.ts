import { isDeepStrictEqual } from "node:util";
import { type Service, services } from "@operator-path/client";
import type { Client, Logger } from "@operator-path/controller-runtime";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { find, labelsFor, metadataFor } from "./objects.ts";

/** Creates the Service of an OvhNginx, or updates it if it differs from the spec. */
export async function reconcileService(client: Client, ovhNginx: OvhNginx, log: Logger): Promise<Service> {
  const { namespace, name, ...metadata } = metadataFor(ovhNginx);
  const found = await find(client, services, ovhNginx);
  const [port] = found?.spec?.ports ?? [];
  // The address and the node port that the cluster has chosen stay.
  const spec: Service["spec"] = {
    ...found?.spec,
    type: "LoadBalancer",
    selector: labelsFor(ovhNginx),
    ports: [{ ...port, name: "http", port: ovhNginx.spec.port, targetPort: "http" }],
  };
  if (!found) {
    log.info({ "Service.Namespace": namespace, "Service.Name": name }, "✨ Creating a new Service");
    return client.create({
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name, ...metadata },
      spec,
    });
  }
  if (isDeepStrictEqual(spec, found.spec)) return found;
  log.info(`the Service listens on ${ovhNginx.spec.port}`);
  return client.update({ ...found, spec });
}
