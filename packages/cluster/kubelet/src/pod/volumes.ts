import { type Client, isNotFound, type Pod, serviceAccounts } from "@operator-path/client";
import type { Mount, VolumeContent } from "../filesystem/container-file-system.ts";
import { podField, readData } from "./environment.ts";
import type { ContainerSpec, EphemeralSpec, PodStatus, VolumeSpec } from "./types.ts";

/** A volume that cannot be had, as a FailedMount Event says it. */
export class VolumeError extends Error {
  override readonly name = "VolumeError";
}

/** The Pod's volumes by name. What is in memory (emptyDir) is shared by its containers; the rest was read once, now. */
export type PodVolumes = Map<string, VolumeContent>;

/**
 * Makes a Pod's volumes: emptyDir, configMap, secret, downwardAPI, projected. All are in memory.
 * @throws VolumeError for a source that is missing, and for every kind that would need a disk: a simulated node has none, and
 * hostPath would be the learner's own.
 */
export async function makeVolumes(
  client: Client,
  pod: Pod,
  status: Pick<PodStatus, "podIP" | "hostIP">,
  nodeName: string,
): Promise<PodVolumes> {
  const volumes: PodVolumes = new Map();
  for (const volume of pod.spec?.volumes ?? []) {
    volumes.set(volume.name, { name: volume.name, files: await contents(volume) });
  }
  return volumes;

  async function contents(volume: VolumeSpec): Promise<Record<string, string>> {
    const namespace = pod.metadata?.namespace ?? "default";
    const from = async (
      kind: "configmap" | "secret",
      name: string,
      o: { items?: { key: string; path: string }[] | undefined; optional?: boolean | undefined },
    ) => {
      try {
        const data = await readData(client, kind, namespace, name);
        if (!o.items) return data;
        return Object.fromEntries(
          o.items.filter(({ key }) => key in data).map(({ key, path }) => [path, data[key] ?? ""]),
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // The root certificate is published by a controller of its own; a Pod that only carries it along can start without.
        if (o.optional || name === "kube-root-ca.crt") return {};
        throw new VolumeError(
          `MountVolume.SetUp failed for volume "${volume.name}" : ${kind} "${name}" not found`,
        );
      }
    };
    const downward = (items: { path: string; fieldRef?: { fieldPath: string } }[] = []) =>
      Object.fromEntries(
        items.map(({ path, fieldRef }) => [path, podField(pod, status, fieldRef?.fieldPath ?? "", nodeName)]),
      );
    if (volume.emptyDir || isBare(volume)) return {};
    if (volume.configMap) return from("configmap", volume.configMap.name ?? "", volume.configMap);
    if (volume.secret) return from("secret", volume.secret.secretName ?? "", volume.secret);
    if (volume.downwardAPI) return downward(volume.downwardAPI.items);
    if (volume.projected) {
      const files: Record<string, string> = {};
      for (const source of volume.projected.sources ?? []) {
        if (source.configMap)
          Object.assign(files, await from("configmap", source.configMap.name ?? "", source.configMap));
        if (source.secret)
          Object.assign(files, await from("secret", source.secret.name ?? "", source.secret));
        if (source.downwardAPI) Object.assign(files, downward(source.downwardAPI.items));
        if (source.serviceAccountToken)
          files[source.serviceAccountToken.path] = await token(source.serviceAccountToken);
      }
      return files;
    }
    const kind = Object.keys(volume).find((key) => key !== "name") ?? "unknown";
    throw new VolumeError(
      `MountVolume.SetUp failed for volume "${volume.name}" : ${kind} is refused on a simulated node, which has no disk: use emptyDir, configMap, secret, downwardAPI or projected`,
    );
  }

  async function token(o: { audience?: string; expirationSeconds?: number }): Promise<string> {
    const name = pod.spec?.serviceAccountName ?? "default";
    const request = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {
        audiences: o.audience ? [o.audience] : [],
        expirationSeconds: o.expirationSeconds ?? 3607,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name: pod.metadata?.name, uid: pod.metadata?.uid },
      },
    };
    try {
      const accounts = client.resource(serviceAccounts).namespace(pod.metadata?.namespace ?? "default");
      const answer = (await accounts.createSubresource(name, "token", request)) as {
        status?: { token?: string };
      };
      return answer.status?.token ?? "";
    } catch (error) {
      // Nothing simulated calls the API: a server that issues no tokens is no reason to keep the Pod waiting.
      if (isNotFound(error)) return "";
      throw error;
    }
  }
}

function isBare(volume: VolumeSpec): boolean {
  return Object.keys(volume).every((key) => key === "name");
}

/** Where a container sees its volumes. */
export function containerMounts(spec: ContainerSpec | EphemeralSpec, volumes: PodVolumes): Mount[] {
  return (spec.volumeMounts ?? []).flatMap(({ name, mountPath, readOnly, subPath }) => {
    const volume = volumes.get(name);
    return volume
      ? [{ volume, path: mountPath, readOnly: readOnly ?? false, ...(subPath ? { subPath } : {}) }]
      : [];
  });
}
