import { type KubeObject, secrets } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { decodeRelease, releaseSecretType } from "./decode-release.ts";
import { type Release, type Revision, releaseStatusOf } from "./release.ts";

/**
 * Returns all stored revisions of a release, newest first; an empty list without such a release. Reads each
 * revision, which may take a megabyte. The newest is enough for the state of a release.
 *
 * @param reader must read from the server: a cache may lag behind helm
 * @throws ReleaseError when a Secret holds no release: acting without that revision might be wrong
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
 * Returns the revisions of a release, newest first, from the metadata of their Secrets.
 *
 * @param found Secrets with the labels of that release
 */
export function revisionsOf(
  found: readonly KubeObject[],
  name: string,
): (Revision & { readonly secret: string })[] {
  const prefix = `sh.helm.release.v1.${name}.v`;
  const revisions = found.flatMap(({ metadata }) => {
    const { name: secret = "", labels } = metadata ?? {};
    // Take the number from the name, which cannot change. An unrelated Secret may have helm's labels, too.
    const number = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
    if (!/^[0-9]{1,15}$/.test(number)) return [];
    return [{ secret, revision: Number(number), status: releaseStatusOf(labels?.status) }];
  });
  return revisions.sort((one, other) => other.revision - one.revision);
}
