import { type Deployment, deployments, leases, type Transport } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { createRandom, createSimulatedServer, type SimulatedServer } from "@operator-path/faults";
import { createScheme } from "../../client/scheme.ts";
import { setControllerReference } from "../../controllerutil/owner-references.ts";
import type { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/options.ts";
import type { ReconcileFunction } from "../../reconcile/reconciler.ts";
import { memcacheds } from "./memcached.ts";
import { createTestManager, type TestManager } from "./test-manager.ts";

export interface MemoryCluster {
  readonly clock: FakeClock;
  readonly server: SimulatedServer;
  /**
   * Creates a manager and records its operator's writes, for example "POST deployments", without Leases and
   * Events.
   */
  manager(options?: Omit<ManagerOptions, "clock">): TestManager & { writes: string[] };
}

/** An API server in memory, for any number of managers on one fake clock. */
export function createMemoryCluster(): MemoryCluster {
  const fake = createFakeClock();
  const clock: FakeClock = {
    ...fake,
    async advance(milliseconds) {
      await quiet();
      await fake.advance(milliseconds);
      await quiet();
    },
  };
  const server = createSimulatedServer({
    clock: fake,
    random: createRandom(1),
    resources: [{ resource: memcacheds }, { resource: deployments }, { resource: leases }],
  });

  /** Lets all pending work finish before time passes, also on a busy machine. */
  async function quiet(): Promise<void> {
    let version = server.revisions.version;
    for (let idle = 0; idle < 100; idle++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (server.revisions.version === version) continue;
      version = server.revisions.version;
      idle = 0;
    }
  }

  return {
    clock,
    server,
    manager(options) {
      const writes: string[] = [];
      const transport: Transport = {
        request(request) {
          const [, plural = ""] = /\/namespaces\/[^/]+\/([^/]+)/.exec(request.path) ?? [];
          const isOwn = plural === "leases" || plural === "events";
          if (request.method !== "GET" && !isOwn) writes.push(`${request.method} ${plural}`);
          return server.request(request);
        },
        stream: server.stream,
        close: async () => {},
      };
      return {
        ...createTestManager({ transport, clock, scheme: createScheme(memcacheds), ...options }),
        writes,
      };
    },
  };
}

/**
 * Returns a reconciler that creates a Deployment of the same name per Memcached and writes node names into
 * the status.
 */
export function reconcileMemcached(manager: Manager): ReconcileFunction {
  return async (request) => {
    const found = (await manager.client.list(memcacheds, { namespace: request.namespace })).find(
      ({ metadata }) => metadata?.name === request.name,
    );
    if (!found) return;
    const replicas = found.spec?.size ?? 1;
    const deployment = (await manager.client.list(deployments, { namespace: request.namespace })).find(
      ({ metadata }) => metadata?.name === request.name,
    );
    if (!deployment) {
      await manager.client.create(setControllerReference(found, deploymentOf(request, replicas)));
    } else if (deployment.spec?.replicas !== replicas) {
      await manager.client.update({ ...deployment, spec: { ...deployment.spec, replicas } } as Deployment);
    }
    if (found.status?.nodes?.length === replicas) return;
    const nodes = Array.from({ length: replicas }, (_, index) => `${request.name}-${index}`);
    await manager.client.status.update({ ...found, status: { nodes } });
  };
}

function deploymentOf(
  { namespace, name }: { namespace: string; name: string },
  replicas: number,
): Deployment {
  const labels = { app: name };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "memcached", image: "memcached:1.6" }] },
      },
    },
  };
}
