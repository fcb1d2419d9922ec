import { beforeAll, expect, it } from "vitest";
import { type Kubectl, kubectlFor } from "../../testing/kubectl.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
let kubectl: Kubectl;
beforeAll(async () => {
  server = await startTestServer({}, { shared: true });
  kubectl = await kubectlFor(server);
});

const refused = async (...args: string[]): Promise<string> =>
  ((await kubectl.run(...args).catch((error: unknown) => error)) as { stderr: string }).stderr;

// The messages are those of kubectl with a real server.
it("lets kubectl report an unknown kind instead of a failed download", async () => {
  const file = await kubectl.file(
    "old.json",
    '{"apiVersion":"extensions/v1beta1","kind":"Deployment","metadata":{"name":"d"}}',
  );
  expect(await refused("apply", "-f", file)).toBe(
    `error: resource mapping not found for name: "d" namespace: "" from "${file}": no matches for kind "Deployment" in version "extensions/v1beta1"\nensure CRDs are installed first\n`,
  );
});

it("is also available as JSON", async () => {
  const document = (await server.request("GET", "/openapi/v2")).json();
  expect(document).toMatchObject({ swagger: "2.0", info: { title: "Kubernetes" } });
});
