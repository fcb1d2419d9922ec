import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  clusterRoleBindings,
  configMaps,
  createClient,
  leases,
  namespaces,
  serviceAccounts,
} from "@operator-path/client";
import { serviceAccountKubeConfig, startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, newControllerManagedBy } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { expectCluster, loadContext, outOfCluster } from "./out-of-cluster.ts";

const cluster = await startTestCluster();
afterAll(() => cluster.stop());
const { client } = cluster;
const account = { namespace: "shop-system", name: "operator" };

let folder: string;
let token: string;
/** What the proxy was asked to connect to. */
const proxied: string[] = [];

beforeAll(async () => {
  const { namespace, name } = account;
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  await client.resource(serviceAccounts).namespace(namespace).create({ metadata: { name } });
  await client.resource(clusterRoleBindings).create({
    metadata: { name },
    subjects: [{ kind: "ServiceAccount", ...account }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  });
  token = (await serviceAccountKubeConfig(cluster, account)).getCurrentUser()?.token ?? "";
});

/** Writes the recipe's kubeconfig, with this cluster's address and a proxy on this machine. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recipes-kubeconfig-"));
  const proxy = createServer().on("connect", (request, socket) => {
    proxied.push(request.url ?? "");
    const { hostname, port } = new URL(`https://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [socket, upstream]) each.on("error", () => {});
    socket.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void proxy.close());
  const { server = "", caData = "" } = cluster.kubeConfig.getCurrentCluster() ?? {};
  const text = await readFile(join(import.meta.dirname, "out-of-cluster.kubeconfig.yaml"), "utf8");
  await writeFile(
    join(folder, "config"),
    text
      .replace("https://staging.example.com:6443", server)
      .replace("http://proxy.example.com:3128", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`),
  );
  await writeFile(join(folder, "ca.crt"), Buffer.from(caData, "base64"));
  await writeFile(join(folder, "token"), token);
  vi.stubEnv("KUBECONFIG", join(folder, "config"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const uidOf = async (name: string) => (await client.resource(namespaces).get(name)).metadata?.uid ?? "";

test("an operator outside of the cluster leads, and works through the proxy", async () => {
  const kubeConfig = loadContext("staging");
  await expectCluster(kubeConfig, await uidOf("kube-system"));
  const manager = createManager(kubeConfig, {
    ...outOfCluster,
    healthProbeBindAddress: "127.0.0.1:0",
    logger: createLogger({ level: "silent" }),
  });
  const reconciled: string[] = [];
  newControllerManagedBy(manager)
    .for(configMaps)
    .complete(async ({ name }) => void reconciled.push(name));
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await client
    .resource(configMaps)
    .namespace("shop-system")
    .create({ metadata: { name: "settings" } });
  await eventually(() => expect(reconciled).toContain("settings"));
  const lease = await client.resource(leases).namespace("shop-system").get("shop-operator");
  expect(lease.spec?.holderIdentity).not.toBe("");
  stop.abort();
  await running;
  expect(proxied).toContain(new URL(cluster.kubeConfig.getCurrentCluster()?.server ?? "").host);
});

test("takes a rotated token from its file", async () => {
  await writeFile(join(folder, "token"), "expired");
  const own = createClient(loadContext());
  onTestFinished(() => own.close());
  const list = () => own.resource(configMaps).namespace("default").list();
  await expect(list()).rejects.toMatchObject({ code: 401 });
  await writeFile(join(folder, "token"), token);
  expect((await eventually(list)).kind).toBe("ConfigMapList");
});

test("refuses a cluster with another UID, and a context that is not there", async () => {
  const [found, expected] = [await uidOf("kube-system"), await uidOf("default")];
  await expect(expectCluster(loadContext(), expected)).rejects.toThrow(
    `whose cluster is ${found}, not ${expected}: choose another context`,
  );
  expect(() => loadContext("production")).toThrow("no context production: use one of staging");
});
