import { type KubeObject, secrets } from "@operator-path/client";
import { ignoreNotFound, type Reader } from "@operator-path/controller-runtime";
import { parseManifest } from "../drift/parse-manifest.ts";
import { decodeRelease, ReleaseError } from "../release/decode-release.ts";
import type { Release } from "../release/release.ts";
import { releaseLabels, revisionsOf } from "../release/release-history.ts";
import { type ReleaseState, releaseState } from "../release/release-state.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import { releaseSecrets } from "./dependents.ts";
import { otherOwner as findOtherOwner } from "./release-owner.ts";
import type { KnownManifest, Run } from "./run.ts";

/**
 * Returns the state of the release, from the Secrets in which helm stores it. Reads only the newest, from the
 * server, and only when the cached metadata of the Secrets has changed: a release may take a megabyte.
 * Metadata says enough about older revisions, so a damaged one does no harm.
 */
export async function readState(run: Run): Promise<ReleaseState> {
  const { memory, client, apiReader, key } = run;
  if (memory.read && memory.read.secrets === versionsOf(await secretsOf(client, run))) {
    return memory.read.state;
  }
  // List the metadata first: if a Secret changes afterwards, the next reconcile sees that and reads again.
  const found = await secretsOf(apiReader, run);
  const [newest, ...older] = revisionsOf(found, key.name);
  const release = newest && (await read(run, newest.secret).catch(ignoreNotFound));
  // The newest revision was deleted in between. The history has changed, so begin again.
  if (newest && !release) return readState(run);
  const state = releaseState(release, older);
  const otherOwner = "release" in state ? await findOtherOwner(run, state.release) : undefined;
  memory.read = { secrets: versionsOf(found), state, otherOwner };
  return state;
}

/**
 * Reads the state after helm has changed it. The cache may be stale, so an unchanged cache proves nothing.
 */
export function rereadState(run: Run): Promise<ReleaseState> {
  delete run.memory.read;
  return readState(run);
}

async function read({ apiReader, key, signal, status }: Run, secret: string): Promise<Release> {
  const found = await apiReader.get(secrets, { namespace: key.namespace, name: secret }, { signal });
  try {
    return decodeRelease(found);
  } catch (error) {
    // The error stays until a person repairs the Secret.
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

/** Returns the deployed release after helm has succeeded. @throws Error when another helm interfered */
export async function readDeployed(run: Run): Promise<Release> {
  const state = await rereadState(run);
  if (state.kind === "deployed") return state.release;
  throw new Error(
    `helm succeeded, but the release ${run.key.name} is ${state.kind}: another helm is working on it`,
  );
}

/**
 * Returns the objects of a release's manifest. Most reconciles see the same one, so the last stays parsed.
 *
 * @throws ManifestError when the manifest is invalid; the status reports it
 */
export function manifestOf({ memory, status }: Run, { name, manifest }: Release): KnownManifest {
  if (memory.manifest?.text === manifest) return memory.manifest;
  try {
    const objects = parseManifest(manifest);
    memory.manifest = { text: manifest, objects, shown: deployedRelease(name, manifest) };
    return memory.manifest;
  } catch (error) {
    status.irreconcilable("ReconcileError", error);
    throw error;
  }
}
