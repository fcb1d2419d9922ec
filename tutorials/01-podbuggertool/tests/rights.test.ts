import { readFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import {
  type Client,
  createClient,
  createTransport,
  customResourceDefinitions,
  defineResource,
  events,
  type KubeObject,
  namespaces,
  type Pod,
  pods,
  serviceAccounts,
} from "@operator-path/client";
import { startEmbeddedCluster } from "@operator-path/cluster";
import { serviceAccountKubeConfig } from "@operator-path/cluster/testing";
import {
  createRequestRecorder,
  policyRulesFor,
  policyRulesOf,
} from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { podbuggertools } from "../podbuggertool/src/types.ts";
import { versions } from "./testing/versions.ts";

// Pages 2 and 3 say that the operator needs the permissions of deploy/permissions.yaml, and no others. Here it does
// everything that it can do, as the ServiceAccount of that file. The test compares its requests with the permissions.

interface Rule {
  apiGroups?: string[];
  resources?: string[];
  verbs: string[];
}
type Role = KubeObject & { rules: Rule[] };
const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
const clusterRoles = defineResource<Role>({
  ...{ ...rbac, kind: "ClusterRole", plural: "clusterroles", namespaced: false },
});
const known = [
  namespaces,
  serviceAccounts,
  clusterRoles,
  defineResource({ ...rbac, kind: "ClusterRoleBinding", plural: "clusterrolebindings", namespaced: false }),
  defineResource({ ...rbac, kind: "Role", plural: "roles", namespaced: true }),
  defineResource({ ...rbac, kind: "RoleBinding", plural: "rolebindings", namespaced: true }),
];

test.each(versions)(
  "%s: the operator asks for every right that it is given, and for no other one",
  {
    timeout: 60_000,
  },
  async (_, start, folder) => {
    vi.spyOn(console, "log").mockReturnValue();
    const read = (file: string) => readFileSync(join(import.meta.dirname, "..", folder, file), "utf8");
    const permissions = parseAllDocuments(read("deploy/permissions.yaml")).map((document) => document.toJS());
    const role = permissions.find(({ kind }) => kind === "ClusterRole") as Role;
    const cluster = await startEmbeddedCluster();
    onTestFinished(() => cluster.stop());
    const admin = createClient(cluster.kubeConfig);
    onTestFinished(() => admin.close());
    await admin.resource(customResourceDefinitions).create(parse(read("crd.yaml")));
    for (const object of permissions) await apply(admin, object);

    const account = { namespace: "podbuggertool", name: "podbuggertool" };
    const kubeConfig = await serviceAccountKubeConfig(
      { client: admin, kubeConfig: cluster.kubeConfig },
      account,
    );
    const { transport, requests } = createRequestRecorder(createTransport(kubeConfig));
    const operator = await start({ kubeConfig, transport, deployed: true });
    onTestFinished(() => operator.stop());

    const tools = admin.resource(podbuggertools).namespace("default");
    const inDefault = admin.resource(pods).namespace("default");
    await admin.resource(pods).create(pod("first"));
    await admin.resource(podbuggertools).create(tool("payment"));
    await eventually(async () => expect((await tools.get("payment")).status?.installed).toBe(1));

    // An Event that is repeated is patched: refuse it something, twice.
    const { name = "" } = role.metadata ?? {};
    const rules = role.rules.filter(({ resources }) => !resources?.includes("pods/ephemeralcontainers"));
    await admin.resource(clusterRoles).patch(name, { rules }, { type: "merge" });
    await admin.resource(pods).create(pod("second"));
    await eventually(async () => {
      const { items } = await admin.resource(events).namespace("default").list();
      const repeated = items.filter(({ reason, count }) => reason === "NotInstalled" && (count ?? 1) > 1);
      expect(repeated.length).toBeGreaterThan(0);
    });
    await admin.resource(clusterRoles).patch(name, { rules: role.rules }, { type: "merge" });
    await eventually(async () => expect((await tools.get("payment")).status?.installed).toBe(2));

    await tools.delete("payment");
    await eventually(async () => {
      const { items } = await admin.resource(events).namespace("default").list();
      expect(items.some(({ reason }) => reason === "ToolRemoved")).toBe(true);
    });
    expect((await inDefault.get("first")).spec?.ephemeralContainers).toHaveLength(1);

    if (operator.metricsAddress) {
      const { token } = kubeConfig.getCurrentUser() ?? {};
      expect(await scrape(operator.metricsAddress, token ?? "")).toBe(403);
    }
    // Gives the Lease back.
    await operator.stop();

    const granted = requests.filter(({ status }) => status !== 403);
    expect(policyRulesOf(granted)).toEqual(policyRulesFor(permissions, account));
    expect(policyRulesOf(requests)).toEqual(policyRulesOf(granted));
  },
);

const eventually = (look: () => Promise<void>) => vi.waitFor(look, { interval: 20 });

function pod(name: string): Partial<Pod> {
  const spec = { containers: [{ name: "main", image: "payment:1.0.0" }] };
  return { metadata: { name, namespace: "default", labels: { app: "payment" } }, spec: spec as Pod["spec"] };
}

function tool(name: string) {
  return { metadata: { name, namespace: "default" }, spec: { label: "app=payment", image: "busybox" } };
}

async function apply(admin: Client, object: KubeObject): Promise<void> {
  const resource = known.find(({ kind }) => kind === object.kind);
  if (!resource) throw new Error(`permissions.yaml has a ${object.kind}, which this test does not know`);
  await eventually(async () => {
    await admin.resource<KubeObject>(resource as typeof clusterRoles).create(object);
  });
}

/** The status that a request for the metrics is answered with. */
function scrape(address: string, token: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asked = httpsRequest(
      `https://${address}/metrics`,
      { headers, rejectUnauthorized: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    asked.on("error", reject).end();
  });
}
