import { request } from "node:https";
import {
  ApiError,
  type ClusterRole,
  clusterRoleBindings,
  clusterRoles,
  createTransport,
  events,
  type KubeConfig,
  namespaces,
  pods,
  type Role,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  type Transport,
} from "@operator-path/client";
import { serviceAccountKubeConfig, startTestCluster } from "@operator-path/cluster/testing";
import { generate, parseOptions } from "@operator-path/controller-gen";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { siteCrd, sites } from "../site.ts";
import { managerOptions, setupSites } from "./rbac.ts";

/** One verb on one resource: the least that a role can give. */
interface Permission {
  readonly role: "Role" | "ClusterRole";
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly resourceNames?: string[];
}

const permissions = permissionsOf(import.meta.dirname);
const cluster = await startTestCluster({ crds: [siteCrd], controllers: true });
afterAll(() => cluster.stop());
const { client } = cluster;
const proxy = { namespace: "default", name: "proxy" };

beforeAll(async () => {
  await client.resource(namespaces).create({ metadata: { name: "site-system" } });
  const containers = [{ name: "proxy", image: "nginx:1.29" }];
  const all = client.resource(pods).namespace("default");
  await all.create({ metadata: { name: proxy.name }, spec: { containers } });
  await eventually(async () => expect((await all.get(proxy.name)).status?.phase).toBe("Running"));
});

test("the operator does everything with the permissions of its markers", async () => {
  await using operator = await operate("complete", permissions);
  const { namespace } = operator;
  // On a busy machine, two Pods may take more than ten seconds to be ready.
  const patient = { timeout: 60_000 };
  await eventually(async () => {
    await operator.scale();
    const site = await client.resource(sites).namespace(namespace).get("shop");
    expect(site.status?.readyReplicas).toBe(2);
    expect(site.metadata?.finalizers).toEqual(["web.example.com/cleanup"]);
  }, patient);
  await eventually(async () => {
    const { items } = await client.resource(events).namespace(namespace).list();
    const counts = items.filter(({ reason }) => reason === "Reconciled").map(({ count = 0 }) => count);
    expect(counts).toEqual([expect.any(Number)]);
    expect(counts[0]).toBeGreaterThan(1);
  });
  expect(await operator.scrape()).toBe(403);
  expect(operator.refusals).toEqual([]);
});

test("deletes a Site, because the operator removes its finalizer", async () => {
  await using operator = await operate("deletion", permissions);
  const all = client.resource(sites).namespace(operator.namespace);
  await eventually(async () =>
    expect((await all.get("shop")).metadata?.finalizers).toEqual(["web.example.com/cleanup"]),
  );
  await all.delete("shop");
  await eventually(async () => expect((await all.list()).items).toEqual([]));
  expect(operator.refusals).toEqual([]);
});

test.concurrent.each(permissions.map((permission) => ({ ...permission, missing: permission })))(
  "without $verb on $resource of group '$group', the server refuses what the operator does",
  async ({ resource, verb, missing }) => {
    const name = `without-${verb}-${resource.replace("/", "-")}`;
    const rest = permissions.filter((each) => each !== missing);
    // A server that streams a list within the watch is never asked for a list.
    await using operator = await operate(name, rest, { streamsLists: verb !== "list" });
    const refusal = refusalOf(missing);
    await eventually(
      async () => {
        if (resource.endsWith("reviews")) await operator.scrape();
        await operator.scale();
        expect(operator.refusals).toContainEqual(expect.stringMatching(refusal));
        // Five operators run at a time.
      },
      { timeout: 30_000 },
    );
    for (const each of operator.refusals) expect(each).toMatch(refusal);
  },
);

/** What the server says when this permission is missing. */
function refusalOf({ resource, verb }: Permission): RegExp {
  if (resource === "sites/finalizers") return /cannot set blockOwnerDeletion/;
  // The second check of a WebSocket does not say what is missing.
  if (resource.startsWith("pods/") && verb === "create") return /^pods "proxy" is forbidden: $/;
  return new RegExp(`cannot ${verb} resource "${resource}"`);
}

/** Runs the operator in a namespace of its own, as a ServiceAccount with these permissions, and scales a Site there. */
async function operate(name: string, granted: readonly Permission[], { streamsLists = true } = {}) {
  const namespace = await cluster.namespace();
  await bind(name, granted);
  await client
    .resource(secrets)
    .namespace(namespace)
    .create({ metadata: { name: "site-tls" }, data: { "tls.crt": "AA==" } });
  const all = client.resource(sites).namespace(namespace);
  await all.create({ metadata: { name: "shop" }, spec: { host: "shop.example.com", replicas: 1 } });

  const kubeConfig = await serviceAccountKubeConfig(cluster, { namespace: "site-system", name });
  const { transport, refusals } = noteRefusals(createTransport(kubeConfig), streamsLists);
  const manager = createManager(kubeConfig, {
    scheme: createScheme(sites),
    logger: createLogger({ level: "silent" }),
    transport,
    cache: { namespaces: [namespace] },
    client: managerOptions.client,
    // A Lease per test, which is renewed soon. A busy machine still keeps it.
    leaderElection: { ...managerOptions.leaderElection, id: name, retryPeriod: 200 },
    metricsServer: { ...managerOptions.metricsServer, bindAddress: "127.0.0.1:0" },
  });
  setupSites(manager, proxy);
  const stop = new AbortController();
  // Without some permissions it fails, which is the point.
  const running = manager.start(stop.signal).catch(() => {});

  return {
    ...{ namespace, refusals },
    /** Asks for a second replica, once there is one. */
    async scale(): Promise<void> {
      const { spec, status } = await all.get("shop");
      if (spec?.replicas === 2 || status?.readyReplicas !== 1) return;
      await all.patch("shop", { spec: { replicas: 2 } }, { type: "merge" });
    },
    scrape: () => scrape(manager.metricsAddress() ?? "", kubeConfig),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** What the server answers with 403, in its words. */
function noteRefusals(inner: Transport, streamsLists: boolean): { transport: Transport; refusals: string[] } {
  const refusals: string[] = [];
  async function noted<A>(answer: Promise<A>): Promise<A> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) refusals.push(error.message);
      throw error;
    }
  }
  const transport: Transport = {
    request: (asked) => noted(inner.request(asked)),
    async stream(asked) {
      // As API servers without the feature WatchList answer.
      if (!streamsLists && asked.query?.sendInitialEvents) {
        throw new ApiError({ code: 422, reason: "Invalid", message: "sendInitialEvents: Forbidden" });
      }
      return noted(inner.stream(asked));
    },
    connect: async (asked) => {
      if (!inner.connect) throw new Error("this transport opens no WebSocket");
      return noted(inner.connect(asked));
    },
    close: () => inner.close(),
  };
  return { transport, refusals };
}

/** Resolves with the status of a scrape. The operator's own account may not get /metrics: 403 after both reviews. */
async function scrape(address: string, kubeConfig: KubeConfig): Promise<number | undefined> {
  const { token } = kubeConfig.getCurrentUser() ?? {};
  return new Promise((resolve, reject) => {
    const options = {
      agent: false,
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${token}` },
    };
    request(`https://${address}/metrics`, options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

/** The permissions that controller-gen makes of the markers in a folder. */
function permissionsOf(folder: string): Permission[] {
  const { files, problems } = generate(parseOptions(["rbac:roleName=site-operator", "paths=."]), folder);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const manifests = files.flatMap(({ text }) => parseAllDocuments(text).map((each) => each.toJS()));
  return (manifests as (Role | ClusterRole)[]).flatMap(({ kind, rules = [] }) =>
    (rules ?? []).flatMap(({ apiGroups = [], resources = [], verbs, resourceNames }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => ({
            ...{
              role: kind === "Role" ? ("Role" as const) : ("ClusterRole" as const),
              group,
              resource,
              verb,
            },
            ...(resourceNames && { resourceNames }),
          })),
        ),
      ),
    ),
  );
}

/** Creates a ServiceAccount with these permissions. */
async function bind(name: string, granted: readonly Permission[]): Promise<void> {
  const namespace = "site-system";
  const metadata = { name };
  const rulesOf = (role: Permission["role"]) =>
    granted
      .filter((each) => each.role === role)
      .map(({ group, resource, verb, resourceNames }) => ({
        ...{ apiGroups: [group], resources: [resource], verbs: [verb] },
        ...(resourceNames && { resourceNames }),
      }));
  const subjects = [{ kind: "ServiceAccount", namespace, name }];
  const roleRef = (kind: Permission["role"]) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  await client.resource(serviceAccounts).namespace(namespace).create({ metadata });
  await client.resource(clusterRoles).create({ metadata, rules: rulesOf("ClusterRole") });
  await client.resource(clusterRoleBindings).create({ metadata, subjects, roleRef: roleRef("ClusterRole") });
  await client
    .resource(roles)
    .namespace(namespace)
    .create({ metadata, rules: rulesOf("Role") });
  await client
    .resource(roleBindings)
    .namespace(namespace)
    .create({ metadata, subjects, roleRef: roleRef("Role") });
}
