import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { patchResponse, startWebhookServer } from "../../../testing/webhook-server.ts";

// What webhooks receive for requests other than creating a plain object. A real kube-apiserver sent the same
// reviews to the same webhook.

const hooks = await startWebhookServer();
let count = 0;

/** Registers a webhook for everything in the default namespace, and for namespaces. */
async function watchEverything(server: TestServer, members: JsonObject = {}) {
  const path = `/everything-${++count}`;
  hooks.on(path, () => ({}));
  await server.create("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", {
    metadata: { name: "everything" },
    webhooks: [
      {
        name: "everything.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: hooks.clientConfig(path),
        rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }],
        ...members,
      },
    ],
  });
  return {
    path,
    last: () => hooks.received.filter((call) => call.path.startsWith(`${path}?`)).at(-1)?.request,
  };
}

const namespaced = "/api/v1/namespaces/default";
const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "a", image: "x" }] } };

async function withPod(server: TestServer): Promise<void> {
  await server.create(`${namespaced}/serviceaccounts`, { metadata: { name: "default" } });
  await server.create(`${namespaced}/pods`, pod);
}

describe("subresources with their own kind", () => {
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const deployment = {
    metadata: { name: "d" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: pod.spec },
    },
  };

  test("sends a Scale for scale, and applies the patch to it", async () => {
    const server = await startTestServer();
    await server.create(deployments, deployment);
    const { path, last } = await watchEverything(server);
    hooks.on(path, () => patchResponse([{ op: "replace", path: "/spec/replicas", value: 5 }]));
    const scale = (await server.request("GET", `${deployments}/d/scale`)).json();
    const answer = await server.request("PUT", `${deployments}/d/scale`, {
      body: { ...scale, spec: { replicas: 3 } },
    });
    expect(last()).toMatchObject({
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      subResource: "scale",
      requestSubResource: "scale",
      object: { kind: "Scale", spec: { replicas: 3 }, status: { replicas: 0, selector: "a=b" } },
      oldObject: { kind: "Scale", spec: { replicas: 1 } },
    });
    expect(answer.json().spec).toEqual({ replicas: 5 });
    expect((await server.request("GET", `${deployments}/d`)).json().spec).toMatchObject({ replicas: 5 });
  });

  test("sends a Binding", async () => {
    const server = await startTestServer();
    await withPod(server);
    const { last } = await watchEverything(server);
    const body = { metadata: { name: "p" }, target: { kind: "Node", name: "n" } };
    await server.request("POST", `${namespaced}/pods/p/binding`, { body });
    expect(last()).toMatchObject({
      kind: { group: "", version: "v1", kind: "Binding" },
      resource: { resource: "pods" },
      subResource: "binding",
      name: "p",
      operation: "CREATE",
      object: { kind: "Binding", metadata: { name: "p", namespace: "default" }, target: { name: "n" } },
    });
  });

  test("sends an Eviction, but not the deletion that follows", async () => {
    const server = await startTestServer();
    await withPod(server);
    const { last, path } = await watchEverything(server);
    hooks.on(path, () => ({ allowed: false, status: { message: "stay" } }));
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
    const answer = await server.request("POST", `${namespaced}/pods/p/eviction`, { body });
    expect(answer.json().message).toBe('admission webhook "everything.example.com" denied the request: stay');
    hooks.on(path, () => ({}));
    await server.request("POST", `${namespaced}/pods/p/eviction`, { body });
    expect(last()).toMatchObject({
      kind: { group: "policy", version: "v1", kind: "Eviction" },
      subResource: "eviction",
      operation: "CREATE",
    });
    expect((await server.request("GET", `${namespaced}/pods/p`)).status).toBe(404);
  });

  test("sends a TokenRequest, and changes it before the token is created", async () => {
    const server = await startTestServer();
    await server.create(`${namespaced}/serviceaccounts`, { metadata: { name: "a" } });
    const { last, path } = await watchEverything(server);
    hooks.on(path, () =>
      patchResponse([
        { op: "replace", path: "/spec/expirationSeconds", value: 1_200 },
        { op: "add", path: "/spec/audiences", value: ["vault"] },
      ]),
    );
    const answer = await server.request("POST", `${namespaced}/serviceaccounts/a/token`, {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
    });
    expect(last()).toMatchObject({
      kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
      resource: { resource: "serviceaccounts" },
      subResource: "token",
      name: "a",
      operation: "CREATE",
      object: {
        kind: "TokenRequest",
        metadata: { namespace: "default" },
        spec: { expirationSeconds: 3_600 },
      },
    });
    const { spec, status } = answer.json<{ spec: JsonObject; status: { token: string } }>();
    expect(spec).toMatchObject({ expirationSeconds: 1_200, audiences: ["vault"] });
    const claims = JSON.parse(Buffer.from(status.token.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ aud: ["vault"], exp: claims.iat + 1_200 });
  });

  test("sends a Pod for ephemeral containers", async () => {
    const server = await startTestServer();
    await withPod(server);
    const { last } = await watchEverything(server);
    await server.request("PATCH", `${namespaced}/pods/p/ephemeralcontainers`, {
      body: { spec: { ephemeralContainers: [{ name: "e", image: "x" }] } },
      headers: { "content-type": "application/strategic-merge-patch+json" },
    });
    expect(last()).toMatchObject({
      kind: { kind: "Pod" },
      subResource: "ephemeralcontainers",
      operation: "UPDATE",
      options: { kind: "UpdateOptions" },
      object: { spec: { ephemeralContainers: [{ name: "e" }] } },
    });
  });

  test("sends the options of a connection, and can refuse it", async () => {
    const server = await startTestServer();
    await withPod(server);
    const { last, path } = await watchEverything(server);
    hooks.on(path, () => ({ allowed: false, status: { message: "no shells" } }));
    const answer = await server.request("GET", `${namespaced}/pods/p/proxy/a/b`);
    expect(answer.json().message).toContain("denied the request: no shells");
    expect(last()).toMatchObject({
      kind: { group: "", version: "v1", kind: "PodProxyOptions" },
      resource: { resource: "pods" },
      subResource: "proxy",
      operation: "CONNECT",
      object: { kind: "PodProxyOptions", apiVersion: "v1", path: "/a/b" },
      oldObject: null,
      options: null,
    });
  });
});

describe("namespaces", () => {
  test("have their own name as the namespace", async () => {
    const server = await startTestServer();
    const { last } = await watchEverything(server, { namespaceSelector: { matchLabels: { seen: "yes" } } });
    await server.create("/api/v1/namespaces", { metadata: { name: "unseen" } });
    expect(last()).toBeUndefined();
    await server.create("/api/v1/namespaces", { metadata: { name: "seen", labels: { seen: "yes" } } });
    expect(last()).toMatchObject({ name: "seen", namespace: "seen", operation: "CREATE" });
    await server.create("/api/v1/namespaces/seen/configmaps", { metadata: { name: "a" } });
    expect(last()).toMatchObject({ name: "a", namespace: "seen" });
    await server.request("DELETE", "/api/v1/namespaces/seen");
    expect(last()).toMatchObject({ name: "seen", operation: "DELETE", options: { preconditions: {} } });
  });
});

describe("a deletion", () => {
  test("of a collection calls the webhook for each object", async () => {
    const server = await startTestServer();
    for (const name of ["a", "b"]) await server.create(`${namespaced}/configmaps`, { metadata: { name } });
    const { path } = await watchEverything(server);
    await server.request("DELETE", `${namespaced}/configmaps`);
    const names = hooks.received
      .filter((call) => call.path.startsWith(`${path}?`))
      .map(({ request }) => request.name);
    expect(names).toEqual(["a", "b"]);
  });

  test("of a Pod contains its grace period", async () => {
    const server = await startTestServer();
    await server.create(`${namespaced}/serviceaccounts`, { metadata: { name: "default" } });
    await server.create(`${namespaced}/pods`, { ...pod, spec: { ...pod.spec, nodeName: "n" } });
    const { last } = await watchEverything(server);
    await server.request("DELETE", `${namespaced}/pods/p`);
    expect(last()?.options).toMatchObject({ kind: "DeleteOptions", gracePeriodSeconds: 30 });
  });
});

describe("versions", () => {
  const crd = {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      scope: "Namespaced",
      versions: ["v1", "v2"].map((name) => ({
        name,
        served: true,
        storage: name === "v1",
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
            },
          },
        },
      })),
    },
  };
  const thing = (version: string) => ({
    apiVersion: `example.com/${version}`,
    kind: "Thing",
    metadata: { name: "t" },
    spec: { a: "1" },
  });

  async function scene(matchPolicy: string, definition = crd) {
    const server = await startTestServer();
    await server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    const rules = [
      { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["*"], resources: ["things"] },
    ];
    return { server, ...(await watchEverything(server, { rules, matchPolicy })) };
  }

  test("Equivalent: the webhook receives and changes its own version", async () => {
    const { server, path, last } = await scene("Equivalent");
    hooks.on(path, () => patchResponse([{ op: "add", path: "/spec/b", value: "2" }]));
    const created = await server.create("/apis/example.com/v2/namespaces/default/things", thing("v2"));
    expect(last()).toMatchObject({
      kind: { group: "example.com", version: "v1", kind: "Thing" },
      resource: { group: "example.com", version: "v1", resource: "things" },
      requestKind: { version: "v2" },
      requestResource: { version: "v2" },
      object: { apiVersion: "example.com/v1", spec: { a: "1" } },
    });
    expect(created).toMatchObject({ apiVersion: "example.com/v2", spec: { a: "1", b: "2" } });
  });

  test("Equivalent: the webhook receives its own version, even if that is not served any more", async () => {
    const [v1, v2] = crd.spec.versions;
    const versions = [
      { ...v1, served: false, storage: false },
      { ...v2, storage: true },
    ] as typeof crd.spec.versions;
    const { server, path, last } = await scene("Equivalent", { ...crd, spec: { ...crd.spec, versions } });
    hooks.on(path, () => patchResponse([{ op: "add", path: "/spec/b", value: "2" }]));
    const created = await server.create("/apis/example.com/v2/namespaces/default/things", thing("v2"));
    expect(last()).toMatchObject({
      resource: { group: "example.com", version: "v1", resource: "things" },
      requestResource: { version: "v2" },
      object: { apiVersion: "example.com/v1", spec: { a: "1" } },
    });
    expect(created).toMatchObject({ apiVersion: "example.com/v2", spec: { a: "1", b: "2" } });
  });

  test("Exact: the webhook is not called for other versions", async () => {
    const { server, last } = await scene("Exact");
    await server.create("/apis/example.com/v2/namespaces/default/things", thing("v2"));
    expect(last()).toBeUndefined();
  });

  test("prunes the object of a webhook", async () => {
    const { server, path } = await scene("Equivalent");
    hooks.on(path, () => patchResponse([{ op: "add", path: "/spec/nope", value: "2" }]));
    const created = await server.create("/apis/example.com/v1/namespaces/default/things", thing("v1"));
    expect(created.spec).toEqual({ a: "1" });
  });
});
