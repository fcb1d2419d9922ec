import { createFakeClock } from "@operator-path/client/testing";
import { describe, expect, test } from "vitest";
import type { AccessAttributes } from "../../server/auth/authorizer.ts";
import { configMap, startTestServer } from "../../testing/test-server.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";
const configMaps = "/api/v1/namespaces/default/configmaps";

describe("an authorizer", () => {
  test("receives the user and the attributes, and refuses with a real server's message", async () => {
    const asked: AccessAttributes[] = [];
    const server = await startTestServer({
      authorize(attributes) {
        asked.push(attributes);
        return { allowed: attributes.verb === "get" };
      },
    });
    const refused = await server.request("POST", configMaps, { body: configMap("a") });
    expect(refused.json()).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps is forbidden: User "kubernetes-admin" cannot create resource "configmaps" in API group "" in the namespace "default"',
    });
    await server.request("PATCH", "/apis/apps/v1/namespaces/default/deployments/d/scale", { body: {} });
    await server.request("GET", "/api/v1/nodes?watch=1");
    await server.request("GET", "/openapi/v3");
    expect(asked.map(({ user, ...rest }) => rest)).toMatchObject([
      { verb: "create", group: "", resource: "configmaps", namespace: "default", name: "" },
      { verb: "patch", group: "apps", resource: "deployments", subresource: "scale", name: "d" },
      { verb: "watch", resource: "nodes", namespace: "" },
      { verb: "get", path: "/openapi/v3" },
    ]);
  });

  test("also decides access reviews", async () => {
    const server = await startTestServer({
      authorize: ({ user, resource, group }) =>
        user.username === "kubernetes-admin" && group === "authorization.k8s.io"
          ? { allowed: true }
          : { allowed: resource === "pods", reason: "only pods" },
    });
    const review = async (kind: string, spec: object) => {
      const path = `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`;
      return (await server.request("POST", path, { body: { spec } })).json().status;
    };
    const resourceAttributes = { verb: "get", resource: "pods" };
    expect(await review("SelfSubjectAccessReview", { resourceAttributes })).toMatchObject({ allowed: true });
    expect(
      await review("SubjectAccessReview", {
        user: "jane",
        resourceAttributes: { verb: "get", resource: "secrets" },
      }),
    ).toEqual({ allowed: false, reason: "only pods" });
  });
});

describe("the default roles and bindings", () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";

  test("exist for the first read", async () => {
    const server = await startTestServer();
    const { items } = (await server.request("GET", `${rbac}/clusterroles`)).json<{ items: unknown[] }>();
    expect(items.length).toBeGreaterThan(60);
  });

  test("exist for the first write or watch", async () => {
    const server = await startTestServer();
    const taken = { metadata: { name: "view" }, rules: [] };
    expect((await server.request("POST", `${rbac}/clusterroles`, { body: taken })).status).toBe(409);
    const other = await startTestServer();
    const watch = await other.watch(`${rbac}/rolebindings?watch=1`);
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { kind: "RoleBinding" } });
    watch.close();
  });

  test("exist for the first access review", async () => {
    const server = await startTestServer();
    const headers = { "impersonate-user": "jane" };
    expect((await server.request("GET", "/apis", { headers })).status).toBe(200);
  });
});

describe("a ServiceAccount's token", () => {
  const clock = createFakeClock();

  test("authenticates the account until the token expires or the account is deleted", async () => {
    const server = await startTestServer({ clock });
    await server.create(accounts, { metadata: { name: "robot" } });
    const request = async () => {
      const answer = await server.request("POST", `${accounts}/robot/token`, {
        body: { spec: { expirationSeconds: 600 } },
      });
      return answer.json<{ status: { token: string } }>().status.token;
    };
    const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const whoami = (token: string) => server.request("POST", reviews, { body: {}, token });

    const token = await request();
    expect((await whoami(token)).json()).toMatchObject({
      status: {
        userInfo: {
          username: "system:serviceaccount:default:robot",
          groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
        },
      },
    });
    await clock.advance(661_000);
    expect((await whoami(token)).status).toBe(401);

    const second = await request();
    await server.request("DELETE", `${accounts}/robot`);
    expect((await whoami(second)).status).toBe(401);
    // A new account with the same name is a different account.
    await server.create(accounts, { metadata: { name: "robot" } });
    expect((await whoami(second)).status).toBe(401);
  });

  test("is invalid once the Pod that it is bound to is deleted", async () => {
    const server = await startTestServer({ clock });
    await server.create(accounts, { metadata: { name: "default" } });
    const pods = "/api/v1/namespaces/default/pods";
    const pod = await server.create(pods, {
      metadata: { name: "p" },
      spec: { containers: [{ name: "a", image: "x" }] },
    });
    const boundObjectRef = { kind: "Pod", name: "p", uid: pod.metadata.uid };
    const answer = await server.request("POST", `${accounts}/default/token`, {
      body: { spec: { boundObjectRef } },
    });
    const { token } = answer.json<{ status: { token: string } }>().status;
    // The user is authenticated, but has no permissions.
    expect((await server.request("GET", pods, { token })).status).toBe(403);
    expect((await server.request("GET", "/apis", { token })).status).toBe(200);
    await server.request("DELETE", `${pods}/p`);
    expect((await server.request("GET", "/apis", { token })).status).toBe(401);
  });

  test("is authenticated by a TokenReview", async () => {
    const server = await startTestServer();
    const review = (token: string) =>
      server.request("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { body: { spec: { token } } });
    expect((await review(server.token)).json().status).toMatchObject({ authenticated: true });
    expect((await review("x")).json().status).toEqual({ user: {}, error: "invalid bearer token" });
  });
});
