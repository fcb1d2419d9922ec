import { secrets } from "@operator-path/client";
import { onTestFinished } from "vitest";
import { revisionsOf } from "../../release/release-history.ts";
import { type HelmBench, namespace } from "./bench.ts";

/** The highest numbers of a release since the start of the watch. */
export interface WatchedRevisions {
  /** The most revisions that were deployed at the same time. */
  mostDeployed(): number;
  mostKept(): number;
  /** The status of the newest revision: "deployed". Undefined: there is no revision. */
  now(): string | undefined;
}

/** Follows the Secrets of a release, event by event, until the test ends. */
export function watchRevisions(bench: HelmBench, name: string): WatchedRevisions {
  const api = bench.cluster.client.resource(secrets).namespace(namespace);
  const stop = new AbortController();
  const found = new Map<string, { metadata?: { name?: string; labels?: Record<string, string> } }>();
  const most = { deployed: 0, kept: 0 };
  const revisions = () => revisionsOf([...found.values()], name);
  const run = async () => {
    for await (const event of api.watch({ signal: stop.signal })) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED" && event.type !== "DELETED") continue;
      const { name: secret = "" } = event.object.metadata ?? {};
      if (event.type === "DELETED") found.delete(secret);
      else found.set(secret, { metadata: event.object.metadata ?? {} });
      const deployed = revisions().filter(({ status }) => status === "deployed");
      most.deployed = Math.max(most.deployed, deployed.length);
      most.kept = Math.max(most.kept, revisions().length);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return {
    mostDeployed: () => most.deployed,
    mostKept: () => most.kept,
    now: () => revisions()[0]?.status,
  };
}
