import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import { configMap, startTestServer, type TestServer } from "../../../testing/test-server.ts";

const namespace = "/api/v1/namespaces/default";

/** Creates a quota with a calculated status. In a cluster the quota controller, a client, calculates it. */
async function limit(
  server: TestServer,
  hard: Record<string, string>,
  more: JsonObject = {},
  name = "q",
): Promise<void> {
  const quota = await server.create(`${namespace}/resourcequotas`, {
    metadata: { name },
    spec: { hard, ...more },
  });
  const used = Object.fromEntries(Object.keys(hard).map((key) => [key, "0"]));
  await server.request("PUT", `${namespace}/resourcequotas/${name}/status`, {
    body: { ...quota, status: { hard, used } },
  });
}

async function scene(hard: Record<string, string>, more: JsonObject = {}) {
  const server = await startTestServer();
  await server.create(`${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  await limit(server, hard, more);
  const used = async (name = "q") => {
    const { status } = (await server.request("GET", `${namespace}/resourcequotas/${name}`)).json<{
      status: { used: Record<string, string> };
    }>();
    return status.used;
  };
  const post = (plural: string, body: JsonObject, query = "") =>
    server.request("POST", `${namespace}/${plural}${query}`, { body });
  return { server, used, post };
}

const pod = (name: string, resources: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: "a", image: "x", resources }], ...spec },
});

describe("creating an object", () => {
  test("counts against the quota, until it is used up", async () => {
    const { post, used } = await scene({ configmaps: "1" });
    expect((await post("configmaps", configMap("a"))).status).toBe(201);
    expect(await used()).toEqual({ configmaps: "1" });
    expect((await post("configmaps", configMap("b"))).json()).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "b" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    });
    expect(await used()).toEqual({ configmaps: "1" });
  });

  test("does not count in a dry run", async () => {
    const { post, used } = await scene({ configmaps: "1" });
    expect((await post("configmaps", configMap("a"), "?dryRun=All")).status).toBe(201);
    expect(await used()).toEqual({ configmaps: "0" });
  });

  test("counts the requested amounts, in any unit", async () => {
    const { post, used } = await scene({ "requests.cpu": "1", "limits.memory": "1Gi", pods: "9" });
    const resources = { requests: { cpu: "600m" }, limits: { memory: "512Mi" } };
    await post("pods", pod("a", resources));
    expect(await used()).toEqual({ "requests.cpu": "600m", "limits.memory": "512Mi", pods: "1" });
    expect((await post("pods", pod("b", { ...resources, requests: { cpu: "0.5" } }))).json().message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
  });

  test("requires a request for each limited resource", async () => {
    const { post } = await scene({ "requests.cpu": "1", "limits.memory": "1Gi" });
    const containers = ["b", "a"].map((name) => ({
      name,
      image: "x",
      resources: { requests: { cpu: "1m" } },
    }));
    const initContainers = [{ name: "i", image: "x" }];
    expect((await post("pods", pod("p", {}, { containers, initContainers }))).json().message).toBe(
      'pods "p" is forbidden: failed quota: q: must specify limits.memory for: a,b,i; requests.cpu for: i',
    );
  });

  test("is refused before the usage has been calculated", async () => {
    const { server, post } = await scene({ secrets: "1" });
    await server.request("PATCH", `${namespace}/resourcequotas/q/status`, {
      body: { status: { hard: { configmaps: "1" } } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect((await post("configmaps", configMap("a"))).json().message).toBe(
      'configmaps "a" is forbidden: status unknown for quota: q, resources: configmaps',
    );
  });

  test("counts objects of any kind by `count/`", async () => {
    const { server } = await scene({ "count/deployments.apps": "0" });
    const answer = await server.request("POST", "/apis/apps/v1/namespaces/default/deployments", {
      body: {
        metadata: { name: "d" },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: { metadata: { labels: { a: "b" } }, spec: pod("x").spec as JsonObject },
        },
      },
    });
    expect(answer.json().message).toBe(
      'deployments.apps "d" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
    );
  });
});

describe("changing an object", () => {
  const service = (name: string, type: string): JsonObject => ({
    metadata: { name },
    spec: {
      type,
      ports: [{ port: 80 }, { name: "b", port: 81 }].map((port, at) => ({ name: `p${at}`, ...port })),
    },
  });

  test("counts only the increase", async () => {
    const { server, post, used } = await scene({ services: "5", "services.nodeports": "3" });
    await post("services", service("a", "NodePort"));
    await post("services", service("b", "ClusterIP"));
    expect(await used()).toEqual({ services: "2", "services.nodeports": "2" });
    const answer = await server.request("PATCH", `${namespace}/services/b`, {
      body: { spec: { type: "NodePort" } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect(answer.json().message).toBe(
      'services "b" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
    );
  });
});

describe("scopes", () => {
  test.each<[string, JsonObject, JsonObject, boolean]>([
    ["BestEffort", {}, {}, true],
    ["BestEffort", { requests: { cpu: "1m" } }, {}, false],
    ["NotBestEffort", { requests: { cpu: "1m" } }, {}, true],
    ["Terminating", {}, { activeDeadlineSeconds: 5 }, true],
    ["Terminating", {}, {}, false],
    ["NotTerminating", {}, { activeDeadlineSeconds: 5 }, false],
    ["PriorityClass", {}, { priorityClassName: "system-node-critical" }, true],
    ["PriorityClass", {}, {}, false],
  ])("%s %j %j: %s", async (scope, resources, spec, meant) => {
    const { post } = await scene({ pods: "0" }, { scopes: [scope] });
    expect((await post("pods", pod("a", resources, spec))).status).toBe(meant ? 403 : 201);
  });

  test("matches the values of a scope selector", async () => {
    const matchExpressions = [
      { scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] },
    ];
    const { post } = await scene({ pods: "0" }, { scopeSelector: { matchExpressions } });
    const statuses = [];
    for (const priorityClassName of ["system-node-critical", "system-cluster-critical"]) {
      statuses.push((await post("pods", pod(priorityClassName, {}, { priorityClassName }))).status);
    }
    expect(statuses).toEqual([403, 201]);
  });
});

test("changes no quota when one of several refuses", async () => {
  const { server, post, used } = await scene({ configmaps: "5" }, {});
  await limit(server, { "count/configmaps": "0" }, {}, "z");
  expect((await post("configmaps", configMap("a"))).status).toBe(403);
  expect([await used("q"), await used("z")]).toEqual([{ configmaps: "0" }, { "count/configmaps": "0" }]);
});
