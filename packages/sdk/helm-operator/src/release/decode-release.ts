import { gunzipSync } from "node:zlib";
import type { Secret } from "@operator-path/client";
import type { Release } from "./release.ts";
import { ReleaseError } from "./release-error.ts";
import { parseReleaseJson } from "./release-json.ts";

/** The type of the Secrets that helm keeps releases in. */
export const releaseSecretType = "helm.sh/release.v1";

/** Labels of the Secret that helm sets itself. */
const helmsLabels = ["name", "owner", "status", "version", "createdAt", "modifiedAt"];

/**
 * A Secret holds a megabyte, and text of which more than this is made of it is no chart's: whoever may write Secrets could
 * have the operator's memory otherwise.
 */
const maximumJson = 32 * 1024 * 1024;

/**
 * The release in a Secret: base64 (the Secret's own) of base64 of gzip of JSON. Releases of the first helm 3 are not
 * compressed, and are read too.
 *
 * @throws ReleaseError when there is no release in it
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
      `Secret ${namespace}/${name} holds no release of helm: ${(error as Error).message}: restore it from a backup, or delete it, and helm forgets that revision`,
      { cause: error },
    );
  }
}

/** Labels of a release are in its Secret's metadata alone. */
function givenLabels({ metadata }: Secret): [string, string][] {
  return Object.entries(metadata?.labels ?? {}).filter(([name]) => !helmsLabels.includes(name));
}
