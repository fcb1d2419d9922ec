import { startApiServer } from "@operator-path/apiserver";
import {
  type ConfigMap,
  configMaps,
  createClientOn,
  createTransport,
  deployments,
  namespaces,
} from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { createCache } from "../../cache/create-cache.ts";
import { createObjectClient } from "../../client/create-client.ts";
import { ignoreNotFound } from "../../client/errors.ts";
import { rawPatch } from "../../client/patch.ts";
import { comparablePolicyRules, policyRulesFor, policyRulesOf } from "./policy-rules.ts";
import { requestAttributes } from "./request-attributes.ts";
import { createRequestRecorder } from "./request-recorder.ts";

test("records an operator's requests and the RBAC rules that they need", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const { transport, requests } = createRequestRecorder(createTransport(server.kubeConfig()));
  onTestFinished(() => transport.close());
  const connection = createClientOn(transport);
  const stop = new AbortController();
  const cache = createCache(connection);
  const run = cache.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
  });
  const client = createObjectClient(connection, { cache: { reader: cache, disableFor: [namespaces] } });
  const settings: ConfigMap = {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "settings" } },
  };
  await client.list(configMaps, { namespace: "default" });
  await client.create(settings);
  await client.patch(settings, rawPatch("merge", { data: { k: "1" } }));
  await client.get(namespaces, { name: "default" });
  await client
    .delete({ ...settings, metadata: { namespace: "default", name: "none" } })
    .catch(ignoreNotFound);
  await client.deleteAllOf(configMaps, { namespace: "default" });
  await client.status
    .patch(
      { apiVersion: "apps/v1", kind: deployments.kind, metadata: { namespace: "default", name: "web" } },
      rawPatch("merge", {}),
    )
    .catch(ignoreNotFound);

  expect(requests.flatMap(({ message }) => message ?? [])).toContain('configmaps "none" not found');
  const recorded = requests.map(
    ({ verb, resource, name, status }) => `${verb} ${resource} ${name} ${status}`,
  );
  expect(recorded).toEqual([
    "watch configmaps  200",
    "create configmaps  201",
    "patch configmaps settings 200",
    "get namespaces default 200",
    "delete configmaps none 404",
    "deletecollection configmaps  200",
    "patch deployments web 404",
  ]);
  expect(requests[2]?.body).toEqual({ data: { k: "1" } });
  expect(policyRulesOf(requests)).toEqual([
    {
      apiGroups: [""],
      resources: ["configmaps"],
      verbs: ["create", "delete", "deletecollection", "list", "patch", "watch"],
    },
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
    { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["patch"] },
  ]);
});

test("requires create for an apply or update that created an object", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const { transport, requests } = createRequestRecorder(createTransport(server.kubeConfig()));
  onTestFinished(() => transport.close());
  const client = createObjectClient(createClientOn(transport));
  const settings: ConfigMap = {
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "settings" } },
  };
  const rule = (verbs: string[]) => [{ apiGroups: [""], resources: ["configmaps"], verbs }];
  await client.apply(settings, { fieldManager: "me" });
  expect(policyRulesOf(requests)).toEqual(rule(["create", "patch"]));
  await client.apply({ ...settings, data: { a: "b" } }, { fieldManager: "me" });
  expect(policyRulesOf(requests.slice(1))).toEqual(rule(["patch"]));
});

test("normalizes the rules of a Role for comparison", () => {
  const rules = [
    { apiGroups: ["apps", ""], resources: ["deployments", "pods"], verbs: ["watch", "get"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["list", "get"] },
    { nonResourceURLs: ["/metrics"], verbs: ["get"] },
  ];
  expect(comparablePolicyRules(rules)).toEqual([
    { apiGroups: [""], resources: ["deployments"], verbs: ["get", "watch"] },
    { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "watch"] },
    { apiGroups: ["apps"], resources: ["pods"], verbs: ["get", "watch"] },
  ]);
});

test.each([
  ["GET", "/api/v1/namespaces/a/pods/web/log", "get  pods/log a web"],
  ["GET", "/api/v1/namespaces", "list  namespaces/  "],
  ["PUT", "/api/v1/namespaces/a/finalize", "update  namespaces/finalize  a"],
  ["GET", "/apis/apps/v1/deployments", "list apps deployments/  "],
  ["POST", "/apis/apps/v1/namespaces/a/deployments", "create apps deployments/ a "],
  ["GET", "/apis/apps/v1", "get  /  "],
  ["GET", "/healthz", "get  /  "],
])("%s %s", (method, path, expected) => {
  const { verb, group, resource, subresource, namespace, name } = requestAttributes({ method, path });
  expect(`${verb} ${group} ${resource}/${subresource} ${namespace} ${name}`).toBe(expected);
});

test("collects the rules of all roles that manifests bind to a ServiceAccount", () => {
  const account = { namespace: "ns", name: "operator" };
  const role = (kind: string, name: string, verbs: string[]) => ({
    ...{ kind, metadata: { name } },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs }],
  });
  const binding = (kind: string, name: string, subject: object) => ({
    ...{ kind: `${kind}Binding`, roleRef: { kind, name } },
    subjects: [{ kind: "ServiceAccount", ...subject }],
  });
  const manifests = [
    ...[
      role("ClusterRole", "same", ["list"]),
      role("Role", "same", ["get"]),
      role("Role", "own", ["create"]),
    ],
    role("ClusterRole", "viewer", ["watch"]),
    binding("ClusterRole", "same", account),
    binding("Role", "own", account),
    binding("Role", "same", { ...account, namespace: "other" }),
    { kind: "ConfigMap" },
  ];
  const pods = { apiGroups: [""], resources: ["pods"], verbs: ["create", "list"] };
  expect(policyRulesFor(manifests, account)).toEqual([pods]);
});
