import { type Client, type Clock, isNotFound, type Pod, serviceAccounts } from "@operator-path/client";
import { podField, readData, resourceField } from "../pod/environment.ts";
import type { PodStatus, VolumeSpec } from "../pod/types.ts";
import type { VolumeFile } from "./volume.ts";

/** Thrown when a volume cannot be mounted. The message is that of the FailedMount Event. */
export class VolumeError extends Error {
  override readonly name = "VolumeError";
}

/**
 * Reads the content of a Pod's volumes from the API. Each Pod has one, which caches the Pod's tokens until
 * their renewal.
 */
export interface VolumeReader {
  /**
   * Returns the files of a volume by their path in it. An emptyDir has none.
   * @throws VolumeError when a source is missing, and for every kind that needs a disk: a simulated node has
   *   none, and hostPath would expose the learner's files
   */
  read(pod: Pod, volume: VolumeSpec): Promise<Record<string, VolumeFile>>;
}

/**
 * How often, and with which pause, the reader retries for a ConfigMap that a controller is about to create.
 */
const rootCertificateRetries = { times: 20, ms: 100 };

/** A token is renewed after this fraction of its lifetime, or after a day (pkg/kubelet/token). */
const tokenLifetimeFraction = 0.8;
const tokenMaxMs = 24 * 3_600_000;

export function createVolumeReader(options: {
  client: Client;
  clock: Clock;
  status: Pick<PodStatus, "podIP" | "hostIP">;
  nodeName: string;
}): VolumeReader {
  const { client, clock } = options;
  const tokens = new Map<string, { token: string; madeAt: number; renewAt: number }>();

  async function data(
    pod: Pod,
    volume: string,
    kind: "configmap" | "secret",
    name: string,
    source: {
      items?: { key: string; path: string; mode?: number }[] | undefined;
      optional?: boolean | undefined;
    },
    defaultMode: number | undefined,
  ): Promise<Record<string, VolumeFile>> {
    const modeOf = modesIn(pod, defaultMode);
    const namespace = pod.metadata?.namespace ?? "default";
    const failed = (why: string) =>
      new VolumeError(`MountVolume.SetUp failed for volume "${volume}" : ${why}`);
    for (let tried = 0; ; tried++) {
      try {
        const found = await readData(client, kind, namespace, name);
        const { items } = source;
        if (!items)
          return Object.fromEntries(
            Object.entries(found).map(([key, content]) => [key, file(content, modeOf())]),
          );
        const missing = items.find(({ key }) => !(key in found));
        if (missing && !source.optional)
          throw failed(
            `references non-existent ${kind === "secret" ? "secret" : "config"} key: ${missing.key}`,
          );
        return Object.fromEntries(
          items
            .filter(({ key }) => key in found)
            .map(({ key, path, mode }) => [path, file(found[key] ?? "", modeOf(mode))]),
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
        if (source.optional) return {};
        // A namespace's first Pod may be read before a controller has published the root certificate.
        const willAppear = name === "kube-root-ca.crt" && tried < rootCertificateRetries.times;
        if (!willAppear) throw failed(`${kind} "${name}" not found`);
        await clock.sleep(rootCertificateRetries.ms);
      }
    }
  }

  function downward(
    pod: Pod,
    { items = [] }: NonNullable<VolumeSpec["downwardAPI"]>,
    defaultMode: number | undefined,
  ): Record<string, VolumeFile> {
    const modeOf = modesIn(pod, defaultMode);
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    return Object.fromEntries(
      items.map(({ path, fieldRef, resourceFieldRef, mode }) => {
        const named = [...containers, ...initContainers].find(
          ({ name }) => name === resourceFieldRef?.containerName,
        );
        const text = resourceFieldRef
          ? resourceField(named?.resources, resourceFieldRef)
          : podField(pod, options.status, fieldRef?.fieldPath ?? "", options.nodeName);
        return [path, file(text, modeOf(mode))];
      }),
    );
  }

  async function token(
    pod: Pod,
    source: { audience?: string; expirationSeconds?: number; path: string },
  ): Promise<string> {
    const key = JSON.stringify(source);
    const cached = tokens.get(key);
    // A token whose time is in the future is not valid yet. This happens after the clock was set back.
    if (cached && cached.madeAt <= clock.now() && clock.now() < cached.renewAt) return cached.token;
    const name = pod.spec?.serviceAccountName ?? "default";
    const seconds = source.expirationSeconds ?? 3607;
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {
        audiences: source.audience ? [source.audience] : [],
        expirationSeconds: seconds,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod.metadata?.name, uid: pod.metadata?.uid },
      },
    };
    const accounts = client.resource(serviceAccounts).namespace(pod.metadata?.namespace ?? "default");
    const answer = (await accounts.createSubresource(name, "token", request).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      throw new VolumeError(`failed to fetch token: ${(error as Error).message}`);
    })) as { status?: { token?: string } };
    const made = answer.status?.token ?? "";
    const renewAt = clock.now() + Math.min(seconds * 1000 * tokenLifetimeFraction, tokenMaxMs);
    tokens.set(key, { token: made, madeAt: clock.now(), renewAt });
    return made;
  }

  async function files(pod: Pod, volume: VolumeSpec): Promise<Record<string, VolumeFile>> {
    const from = data.bind(undefined, pod, volume.name);
    if (isEmptyDir(volume)) return {};
    const { configMap, secret, downwardAPI } = volume;
    if (configMap) return from("configmap", configMap.name ?? "", configMap, configMap.defaultMode);
    if (secret) return from("secret", secret.secretName ?? "", secret, secret.defaultMode);
    if (downwardAPI) return downward(pod, downwardAPI, downwardAPI.defaultMode);
    if (volume.projected) {
      const { defaultMode } = volume.projected;
      const all: Record<string, VolumeFile> = {};
      for (const source of volume.projected.sources ?? []) {
        const { configMap, secret, downwardAPI, serviceAccountToken } = source;
        if (configMap)
          Object.assign(all, await from("configmap", configMap.name ?? "", configMap, defaultMode));
        if (secret) Object.assign(all, await from("secret", secret.name ?? "", secret, defaultMode));
        if (downwardAPI) Object.assign(all, downward(pod, downwardAPI, defaultMode));
        if (serviceAccountToken) {
          const content = await token(pod, serviceAccountToken);
          all[serviceAccountToken.path] = file(content, modesIn(pod, defaultMode)());
        }
      }
      return all;
    }
    const kind = Object.keys(volume).find((key) => key !== "name") ?? "unknown";
    throw new VolumeError(
      `MountVolume.SetUp failed for volume "${volume.name}" : ${kind} is refused on a simulated node, which has no disk: use emptyDir, configMap, secret, downwardAPI, projected or a persistentVolumeClaim`,
    );
  }

  return {
    async read(pod, volume) {
      const found = await files(pod, volume);
      refuseOverlaps(volume.name, found);
      return found;
    },
  };
}

/**
 * Rejects a path below a file of the same volume. The API accepts such items, and a kubelet fails to write
 * them.
 * @throws VolumeError
 */
function refuseOverlaps(volume: string, files: Readonly<Record<string, VolumeFile>>): void {
  for (const path of Object.keys(files)) {
    const names = path.split("/");
    for (let length = 1; length < names.length; length++) {
      const above = names.slice(0, length).join("/");
      if (!(above in files)) continue;
      const why = `mkdir ${above}: not a directory: ${path} cannot be below ${above}, which is a file of the same volume`;
      throw new VolumeError(`MountVolume.SetUp failed for volume "${volume}" : ${why}`);
    }
  }
}

/**
 * Returns an item's mode, or else the volume's, or else 0644. With an fsGroup, the group may read what the
 * owner may read (pkg/volume, SetVolumeOwnership).
 */
function modesIn(pod: Pod, defaultMode = 0o644): (mode?: number) => number {
  const group = hasGroup(pod) ? 0o440 : 0;
  return (mode) => (mode ?? defaultMode) | group;
}

export function hasGroup(pod: Pod): boolean {
  return pod.spec?.securityContext?.fsGroup !== undefined;
}

function file(content: string | Uint8Array, mode: number): VolumeFile {
  return typeof content === "string" && mode === 0o644 ? content : { content, mode };
}

/**
 * Whether the volume is an emptyDir. A volume without a source counts, because the API makes it an emptyDir.
 */
export function isEmptyDir(volume: VolumeSpec): boolean {
  return volume.emptyDir !== undefined || Object.keys(volume).every((key) => key === "name");
}
