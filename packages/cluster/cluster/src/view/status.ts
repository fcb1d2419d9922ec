import { createClient, KubeConfig } from "@operator-path/client";
import type { ClusterRecord } from "../background/record.ts";
import { type Canvas, draw } from "./draw.ts";
import { takeSnapshot } from "./snapshot.ts";

/** A background cluster that has become ready. */
export type RunningRecord = ClusterRecord & { readonly kubeconfigPath: string };

/** The picture of a running cluster, under a line that says which it is. Throws if it does not answer within 5 s. */
export async function drawRunning(record: RunningRecord, canvas: Canvas, now = Date.now()): Promise<string> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(record.kubeconfigPath);
  const client = createClient(kubeConfig);
  try {
    const snapshot = await takeSnapshot(client, AbortSignal.timeout(5_000));
    const title = `${record.name}  ${record.url}  up ${age(now - Date.parse(record.since))}  pid ${record.pid}`;
    return `${title}\n${draw(snapshot, canvas)}`;
  } finally {
    await client.close();
  }
}

/** As kubectl writes an age, more roughly: 45s, 12m, 3h, 2d. */
function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
