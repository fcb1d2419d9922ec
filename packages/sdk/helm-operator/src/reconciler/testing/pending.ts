import { expect } from "vitest";
import type { Release } from "../../release/release.ts";
import { conditionsOf, type HelmBench, namespace, patiently } from "./bench.ts";

export const longAgo = "2020-01-01T00:00:00Z";

/** A release whose install was begun long ago. */
export function pending(of: Partial<Release>): Release {
  return {
    ...{ name: "shop", namespace, revision: 1, status: "pending-install", manifest: "", hooks: [] },
    ...{ chart: { name: "web", version: "0.1.0" }, values: {}, lastDeployed: longAgo },
    ...of,
  };
}

/** Waits until the object is deployed, with these revisions: "2 deployed", "1 superseded". */
export async function settled(bench: HelmBench, name: string, ...revisions: string[]): Promise<void> {
  await patiently(async () => {
    const history = await bench.history(name);
    expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual(revisions);
  });
  await patiently(async () => {
    const conditions = conditionsOf(await bench.get(name));
    expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", "Irreconcilable=False"]));
  });
}
