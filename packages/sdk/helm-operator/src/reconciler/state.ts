import type { KubeObject } from "@operator-path/client";
import type { Reader } from "@operator-path/controller-runtime";
import { ReleaseError } from "../release/release-error.ts";
import { releaseHistory } from "../release/release-history.ts";
import { type ReleaseState, releaseState } from "../release/release-state.ts";
import { releaseLabels, releaseSecrets } from "./release-secrets.ts";
import type { Run } from "./run.ts";

/**
 * The state of the release, from the Secrets that helm keeps it in. They are read from the server, and only when their
 * metadata, which the cache has, is no longer that of the last time: a release may take a megabyte.
 */
export async function readState(run: Run): Promise<ReleaseState> {
  const { memory, client, apiReader, key, signal } = run;
  if (memory.read && memory.read.secrets === (await secretsOf(client, run))) return memory.read.state;
  // The metadata first: if something changes in between, it is not that of the next time, and the Secrets are read again.
  const secrets = await secretsOf(apiReader, run);
  const history = await releaseHistory(apiReader, key.namespace, key.name, { signal }).catch(
    (error: unknown) => {
      // It stays so until somebody sees to the Secret.
      if (error instanceof ReleaseError) run.status.irreconcilable("ErrorGettingReleaseState", error);
      throw error;
    },
  );
  const state = releaseState(history);
  memory.read = { secrets, state };
  return state;
}

/** helm has changed the release: the cache may not have heard of it, so what it has proves nothing. */
export function readStateAnew(run: Run): Promise<ReleaseState> {
  delete run.memory.read;
  return readState(run);
}

async function secretsOf(reader: Reader, { key, signal }: Run): Promise<string> {
  const { namespace, name } = key;
  const found = await reader.list(releaseSecrets, { namespace, labels: releaseLabels(name), signal });
  return found.map(versionOf).sort().join(" ");
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata?.name}:${metadata?.uid}:${metadata?.resourceVersion}`;
}
