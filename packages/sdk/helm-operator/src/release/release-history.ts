import { secrets } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { decodeRelease, releaseSecretType } from "./decode-release.ts";
import type { Release } from "./release.ts";

/**
 * All revisions of a release that helm has kept, the newest first; none when there is no such release.
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
  const labels = { owner: "helm", name };
  const found = await reader.list(secrets, { namespace, labels, ...(signal && { signal }) });
  return found
    .filter(({ type }) => type === releaseSecretType)
    .map(decodeRelease)
    .sort((one, other) => other.revision - one.revision);
}
