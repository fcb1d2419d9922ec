import { startApiServer } from "@operator-path/apiserver";
import {
  clusterRoleBindings,
  clusterRoles,
  createClient,
  createTransport,
  serviceAccounts,
  type Transport,
} from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { createFakeClock } from "@operator-path/client/testing";
import { Counter, Registry } from "prom-client";
import { onTestFinished } from "vitest";
import { createLogger } from "../../log/create-logger.ts";
import type { MetricsServerOptions } from "../metrics-options.ts";
import { createMetricsServer } from "../metrics-server.ts";
import { scrape } from "./scrape.ts";

/** The default certificate of the metrics server. */
export const serving = createServingCertificate(["localhost", "127.0.0.1"], Date.now());

/**
 * Runs a metrics server beside an API server, with ServiceAccounts that may and may not scrape, until the
 * test ends.
 */
export async function startMetrics(options: Partial<MetricsServerOptions> = {}) {
  const clock = createFakeClock();
  const api = await startApiServer();
  onTestFinished(() => api.stop());
  const admin = createClient(api.kubeConfig());
  onTestFinished(() => admin.close());
  /** Requests of the metrics server to the API server. Errors in `failing` replace their answers. */
  const reviews: string[] = [];
  const failing: Error[] = [];
  const inner = createTransport(api.kubeConfig());
  onTestFinished(() => inner.close());
  const transport: Transport = {
    ...inner,
    async request(request) {
      reviews.push(`${request.method} ${request.path.split("/").at(-1)}`);
      const error = failing.shift();
      if (error) throw error;
      return inner.request(request);
    },
  };
  const registry = new Registry();
  new Counter({ name: "shop_orders_total", help: "Orders", labelNames: ["kind"], registers: [registry] })
    .labels("pizza")
    .inc(3);
  const logged: string[] = [];
  const server = createMetricsServer(
    {
      bindAddress: "127.0.0.1:0",
      processMetrics: false,
      certificates: {
        async start(_, onCertificate) {
          onCertificate(serving);
        },
      },
      ...options,
    },
    {
      ...{ registry, transport, clock, random: () => 0 },
      log: createLogger({ format: "json", clock, destination: { write: (line) => void logged.push(line) } }),
    },
  );
  const stop = new AbortController();
  const running = server.start(stop.signal);
  await Promise.race([server.ready?.(stop.signal), running]);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });

  async function tokenOf(name: string): Promise<string> {
    await admin.resource(serviceAccounts).namespace("default").create({ metadata: { name } });
    const { body } = await admin.request({
      method: "POST",
      path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
      body: { spec: {} },
    });
    return JSON.parse(Buffer.from(body).toString()).status.token;
  }
  async function allow(name: string, path = "/metrics"): Promise<void> {
    const role = {
      metadata: { name: `reader-${name}` },
      rules: [{ nonResourceURLs: [path], verbs: ["get"] }],
    };
    await admin.resource(clusterRoles).create(role);
    await admin.resource(clusterRoleBindings).create({
      metadata: { name: `reader-${name}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: `reader-${name}` },
      subjects: [{ kind: "ServiceAccount", namespace: "default", name }],
    });
  }
  const address = server.address() ?? "";
  const get = (token?: string, path = "/metrics", headers: Record<string, string> = {}) =>
    scrape(`${options.secure === false ? "http" : "https"}://${address}${path}`, {
      ca: serving.caCertificate,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    });
  return { address, get, tokenOf, allow, admin, reviews, failing, clock, logged, stop, running };
}
