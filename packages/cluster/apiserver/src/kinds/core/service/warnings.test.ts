import { expect, test } from "vitest";
import { startTestServer } from "../../../testing/test-server.ts";

test("warns of fields without effect, on create and on update", async () => {
  const server = await startTestServer();
  const collection = "/api/v1/namespaces/default/services";
  const service = {
    metadata: { name: "db" },
    spec: { clusterIP: "None", externalIPs: ["192.0.2.1"], externalName: "elsewhere", ports: [{ port: 80 }] },
  };
  const warnings = [
    '299 - "spec.externalIPs is ignored for headless services"',
    '299 - "spec.externalName is ignored when spec.type is not \\"ExternalName\\""',
  ].join(", ");
  const created = await server.request("POST", collection, { body: service });
  expect(created.status).toBe(201);
  expect(created.headers.warning).toBe(warnings);
  const patched = await server.request("PATCH", `${collection}/db`, {
    body: { metadata: { labels: { a: "b" } } },
    headers: { "content-type": "application/merge-patch+json" },
  });
  expect(patched.headers.warning).toBe(warnings);
});
