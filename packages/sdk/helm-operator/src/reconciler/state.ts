import { type KubeObject, secrets } from "@operator-path/client";
import { ignoreNotFound, type Reader } from "@operator-path/controller-runtime";
import { decodeRelease } from "../release/decode-release.ts";
import type { Release } from "../release/release.ts";
import { ReleaseError } from "../release/release-error.ts";
import { releaseLabels, revisionsOf } from "../release/release-history.ts";
import { type ReleaseState, releaseState } from "../release/release-state.ts";
import { otherOwner as findOtherOwner } from "./release-owner.ts";
import { releaseSecrets } from "./release-secrets.ts";
import type { Run } from "./run.ts";

/**
 * The state of the release, from the Secrets that helm keeps it in. The newest is read, from the server, and only when the
 * metadata of all, which the cache has, is no longer that of the last time: a release may take a megabyte. Of those before it
 * the metadata says what is to be known, so that a damaged one is in nobody's way.
 */
export async function readState(run: Run): Promise<ReleaseState> {
  const { memory, client, apiReader, key } = run;
  if (memory.read && memory.read.secrets === versionsOf(await secretsOf(client, run))) {
    return memory.read.state;
  }
  // The metadata first: if something changes in between, it is not that of the next time, and is read again.
  const found = await secretsOf(apiReader, run);
  const [newest, ...older] = revisionsOf(found, key.name);
  const release = newest && (await read(run, newest.secret).catch(ignoreNotFound));
  // Somebody has uninstalled it in between, or is at it: what there is now is another history.
  if (newest && !release) return readState(run);
  const state = releaseState(release, older);
  const otherOwner = "release" in state ? await findOtherOwner(run, state.release) : undefined;
  memory.read = { secrets: versionsOf(found), state, otherOwner };
  return state;
}

/** helm has changed the release: the cache may not have heard of it, so what it has proves nothing. */
export function readStateAnew(run: Run): Promise<ReleaseState> {
  delete run.memory.read;
  return readState(run);
}

async function read({ apiReader, key, signal, status }: Run, secret: string): Promise<Release> {
  const found = await apiReader.get(secrets, { namespace: key.namespace, name: secret }, { signal });
  try {
    return decodeRelease(found);
  } catch (error) {
    // It stays so until somebody sees to the Secret.
    if (error instanceof ReleaseError) status.irreconcilable("ErrorGettingReleaseState", error);
    throw error;
  }
}

function secretsOf(reader: Reader, { key, signal }: Run): Promise<KubeObject[]> {
  const { namespace, name } = key;
  return reader.list(releaseSecrets, { namespace, labels: releaseLabels(name), signal });
}

function versionsOf(found: readonly KubeObject[]): string {
  return found
    .map(({ metadata }) => `${metadata?.name}:${metadata?.uid}:${metadata?.resourceVersion}`)
    .sort()
    .join(" ");
}
