import { expect, test } from "vitest";
import { configMap, startTestServer } from "../../testing/test-server.ts";

test("limits the warnings of thousands of duplicate keys to what clients can read", async () => {
  const server = await startTestServer();
  const body = `metadata:\n  name: a\ndata:\n${"  x: v\n".repeat(20_000)}`;
  const answer = await server.request("POST", "/api/v1/namespaces/default/configmaps", {
    body,
    headers: { "content-type": "application/yaml" },
  });
  expect(answer.status).toBe(201);
  const warnings = String(answer.headers.warning);
  expect(warnings).toContain('299 - "line 5: key \\"x\\" already set in map"');
  expect(warnings.length).toBeLessThan(8 * 1024);
});

test("sends one long warning completely", async () => {
  const server = await startTestServer();
  const name = "f".repeat(1_000);
  const answer = await server.request("POST", "/api/v1/namespaces/default/configmaps", {
    body: { ...configMap("a"), [name]: 1 },
  });
  expect(answer.headers.warning).toBe(`299 - "unknown field \\"${name}\\""`);
});
