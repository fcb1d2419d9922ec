import { configMaps } from "@operator-path/client";
import {
  Counter,
  Gauge,
  Histogram,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type ReconcileContext,
  type Request,
} from "@operator-path/controller-runtime";

/** Sends the data of each ConfigMap to a backup. */
export interface Backup {
  upload(key: string, data: Readonly<Record<string, string>>): Promise<void>;
}

export function setupBackups(manager: Manager, backup: Backup): void {
  const { client, clock } = manager;
  const registers = [manager.metrics];
  const bytes = new Counter({
    ...{ name: "backup_uploaded_bytes_total", help: "Bytes sent to the backup.", registers },
  });
  const seconds = new Histogram({
    ...{ name: "backup_upload_seconds", help: "How long an upload takes.", registers },
    ...{ labelNames: ["result"], buckets: [0.1, 0.5, 1, 5, 30] },
  });
  new Gauge({
    ...{ name: "backup_configmaps", help: "ConfigMaps by phase.", labelNames: ["phase"], registers },
    // Runs at each scrape, and reads the cache: a phase without objects is 0, and no series outlives its object.
    async collect() {
      const all = await client.list(configMaps);
      const failed = all.filter(({ metadata }) => metadata?.annotations?.backup === "failed").length;
      this.set({ phase: "failed" }, failed);
      this.set({ phase: "ok" }, all.length - failed);
    },
  });

  async function reconcile(request: Request, { log }: ReconcileContext): Promise<void> {
    const map = await client.get(configMaps, request).catch(ignoreNotFound);
    if (!map) return;
    const started = clock.now();
    const { data = {} } = map;
    const outcome = await backup.upload(`${request.namespace}/${request.name}`, data).then(
      () => "ok",
      (error: unknown) => {
        log.error({ error }, "The upload failed");
        return "failed";
      },
    );
    seconds.observe({ result: outcome }, (clock.now() - started) / 1000);
    if (outcome === "ok") bytes.inc(Buffer.byteLength(JSON.stringify(data)));
    if (map.metadata?.annotations?.backup === outcome) return;
    const annotations = { ...map.metadata?.annotations, backup: outcome };
    await client.update({ ...map, metadata: { ...map.metadata, annotations } });
  }

  newControllerManagedBy(manager).for(configMaps).named("backup").complete(reconcile);
}
