import type { Release, ReleaseStatus } from "../release.ts";

/** A revision of the release shop/web, without anything that a test does not ask for. */
export function revision(number: number, status: ReleaseStatus, more: Partial<Release> = {}): Release {
  return {
    ...{ name: "web", namespace: "shop", revision: number, status, manifest: "", hooks: [], values: {} },
    chart: { name: "web", version: "1.0.0" },
    ...more,
  };
}
