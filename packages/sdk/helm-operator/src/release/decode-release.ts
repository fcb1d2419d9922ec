import { gunzipSync } from "node:zlib";
import type { Secret } from "@operator-path/client";
import type { Release } from "./release.ts";
import { ReleaseError } from "./release-error.ts";
import { parseReleaseJson } from "./release-json.ts";

/** The type of the Secrets in which helm stores releases. */
export const releaseSecretType = "helm.sh/release.v1";

/** Labels that helm sets itself. */
const helmsLabels = ["name", "owner", "status", "version", "createdAt", "modifiedAt"];

/**
 * A Secret holds a megabyte, and no real release unpacks to more than this. Without a limit, users who may
 * write Secrets could exhaust the operator's memory.
 */
const maximumJson = 32 * 1024 * 1024;

/**
 * Decodes the release in a Secret: base64 (the Secret's own) of base64 of gzip of JSON. Reads the
 * uncompressed releases of early helm 3 versions, too.
 *
 * @throws ReleaseError when the Secret holds no valid release
 */
export function decodeRelease(secret: Secret): Release {
  try {
    const data = secret.data?.release;
    if (data === undefined) throw new Error("it has no data.release");
    const bytes = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
    const json = isGzip ? gunzipSync(bytes, { maxOutputLength: maximumJson }) : bytes;
    const release = parseReleaseJson(json.toString("utf8"));
    const labels = givenLabels(secret);
    return labels.length > 0 ? { ...release, labels: Object.fromEntries(labels) } : release;
  } catch (error) {
    const { namespace, name } = secret.metadata ?? {};
    throw new ReleaseError(
      `Secret ${namespace}/${name} holds no helm release: ${(error as Error).message}: restore it from a backup, or delete it, and helm forgets that revision`,
      { cause: error },
    );
  }
}

/** Returns the labels that were given to the release: only its Secret's metadata has them. */
function givenLabels({ metadata }: Secret): [string, string][] {
  return Object.entries(metadata?.labels ?? {}).filter(([name]) => !helmsLabels.includes(name));
}
