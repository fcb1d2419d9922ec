import { type KubeObject, secrets } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { decodeRelease, releaseSecretType } from "./decode-release.ts";
import { type Release, type Revision, releaseStatusOf } from "./release.ts";

/**
 * All revisions of a release that helm has kept, the newest first; none when there is no such release. Each is read: one may
 * be a megabyte. What a release is needs the newest alone.
 *
 * @param reader reads from the server: what a cache has not heard of yet would be taken for something that is not there
 * @throws ReleaseError when one of the Secrets holds no release: what would be done without it might be the wrong thing
 */
export async function releaseHistory(
  reader: Reader,
  namespace: string,
  name: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Release[]> {
  const labels = releaseLabels(name);
  const found = await reader.list(secrets, { namespace, labels, ...(signal && { signal }) });
  return found
    .filter(({ type }) => type === releaseSecretType)
    .map(decodeRelease)
    .sort((one, other) => other.revision - one.revision);
}

/** Labels that helm gives to the Secrets of one release. */
export function releaseLabels(name: string): Record<string, string> {
  return { owner: "helm", name };
}

/**
 * What the metadata of Secrets says of the revisions of a release, the newest first.
 *
 * @param found with the labels of that release
 */
export function revisionsOf(
  found: readonly KubeObject[],
  name: string,
): (Revision & { readonly secret: string })[] {
  const prefix = `sh.helm.release.v1.${name}.v`;
  const revisions = found.flatMap(({ metadata }) => {
    const { name: secret = "", labels } = metadata ?? {};
    // Of the name, which nobody can change. (Somebody's own Secret may have helm's labels.)
    const number = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
    if (!/^[0-9]{1,15}$/.test(number)) return [];
    return [{ secret, revision: Number(number), status: releaseStatusOf(labels?.status) }];
  });
  return revisions.sort((one, other) => other.revision - one.revision);
}
