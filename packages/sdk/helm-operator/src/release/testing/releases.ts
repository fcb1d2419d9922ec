import type { Secret } from "@operator-path/client";
import { releaseSecretType } from "../decode-release.ts";
import type { Hook, Release, ReleaseStatus } from "../release.ts";
import { packRelease } from "../release-size.ts";

/**
 * Returns the Secret in which helm would store a release, without the chart's files, which Release lacks. For
 * tests that need a history without a helm. An operator never writes one.
 */
export function encodeRelease(release: Release): Secret {
  const { name, namespace, revision, status } = release;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      namespace,
      labels: { ...release.labels, name, owner: "helm", status, version: String(revision) },
    },
    type: releaseSecretType,
    data: { release: Buffer.from(packRelease(JSON.stringify(jsonOf(release)))).toString("base64") },
  };
}

function jsonOf(release: Release) {
  const { name, namespace, revision, status, manifest, hooks, chart, values, applyMethod } = release;
  const { notes, description, firstDeployed, lastDeployed, deleted } = release;
  return {
    name,
    info: { first_deployed: firstDeployed, last_deployed: lastDeployed, deleted, description, status, notes },
    chart: { metadata: { ...chart, apiVersion: "v2" } },
    config: values,
    manifest,
    hooks: hooks.map((hook: Hook) => ({ ...hook, last_run: { phase: "" } })),
    version: revision,
    namespace,
    apply_method: applyMethod,
  };
}

/** A revision of the release shop/web, without anything that a test does not ask for. */
export function revision(number: number, status: ReleaseStatus, more: Partial<Release> = {}): Release {
  return {
    ...{ name: "web", namespace: "shop", revision: number, status, manifest: "", hooks: [], values: {} },
    chart: { name: "web", version: "1.0.0" },
    ...more,
  };
}
