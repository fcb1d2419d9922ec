import type { KubeObject, WriteOptions } from "@operator-path/client";
import { refuseMetadataAlone } from "../../client/metadata-only.ts";
import { objectKeyOf } from "../../client/object-key.ts";
import type { Patch } from "../../client/patch.ts";
import type { Scheme } from "../../client/scheme.ts";
import { isDryRun, resourceOf, type WriteDefaults, withDefaults } from "../../client/server-writer.ts";
import type { SubResourceClient } from "../../client/subresource.ts";
import type { ApplyOptions, PatchOptions } from "../../client/writer.ts";
import { withEphemeralContainers } from "./ephemeral-containers.ts";
import type { FakeStore } from "./fake-store.ts";
import { applyPart, own, patchPart } from "./fake-writer.ts";
import { timestamp } from "./objects.ts";
import { hasScale, scaleOf, withScale } from "./scale.ts";

/**
 * Supports status, scale of Deployments, ReplicaSets and StatefulSets, ephemeral containers and eviction of
 * Pods, and token of ServiceAccounts.
 */
export function createFakeSubResource(
  store: FakeStore,
  scheme: Scheme,
  defaults: WriteDefaults,
  subresource: string,
  now: () => number,
): SubResourceClient {
  function only(names: string[], verb: string): void {
    if (!names.includes(subresource)) missing(verb);
  }

  function missing(verb: string): never {
    throw new Error(
      `the fake client does not support ${verb} of the subresource ${JSON.stringify(subresource)}: intercept it, or test against a cluster`,
    );
  }

  function stored(object: KubeObject) {
    const resource = resourceOf(scheme, object);
    return { resource, current: store.get(resource, objectKeyOf(object)) };
  }

  return {
    async get<S extends KubeObject>(object: KubeObject) {
      only(["scale", "status"], "get");
      const { resource, current } = stored(object);
      if (subresource === "status") return own(current) as KubeObject as S;
      if (!hasScale(resource)) missing("get");
      return scaleOf(current) as KubeObject as S;
    },
    async create<S extends KubeObject>(object: KubeObject, body: S, options: WriteOptions = {}) {
      only(["eviction", "token"], "create");
      const { resource } = stored(object);
      if (subresource === "token") {
        const expirationTimestamp = timestamp(now() + 3_600_000);
        return { ...body, status: { token: "fake-token", expirationTimestamp } };
      }
      store.delete(resource, objectKeyOf(object), isDryRun(options, defaults));
      return body;
    },
    async update<S extends KubeObject>(
      object: KubeObject,
      { body, ...options }: WriteOptions & { body?: KubeObject } = {},
    ) {
      const { dryRun = false, fieldManager } = withDefaults(options, defaults);
      only(["status", "scale", "ephemeralcontainers"], "update");
      const { resource, current } = stored(object);
      if (subresource === "ephemeralcontainers") {
        const wanted = withEphemeralContainers(resource, current, body ?? object);
        return own(store.update(resource, wanted, { part: "main", dryRun, fieldManager })) as KubeObject as S;
      }
      if (subresource === "status") {
        if (!body) refuseMetadataAlone(object);
        const written = { part: "status", dryRun, fieldManager } as const;
        return own(store.update(resource, body ?? object, written)) as KubeObject as S;
      }
      if (!hasScale(resource) || !body) {
        throw new TypeError(
          "an update of a scale needs the Scale of a Deployment, ReplicaSet or StatefulSet as its body",
        );
      }
      const scaled = withScale(resource, current, body);
      return scaleOf(
        store.update(resource, scaled, { part: "main", dryRun, fieldManager }),
      ) as KubeObject as S;
    },
    async patch<T extends KubeObject, S extends KubeObject>(
      object: T,
      patch: Patch<NoInfer<T>>,
      given: PatchOptions = {},
    ) {
      const options = withDefaults(given, defaults);
      only(["status", "ephemeralcontainers"], "patch");
      if (subresource === "ephemeralcontainers") {
        if (patch.type === "apply") missing("apply");
        return own(patchPart(store, scheme, object, patch, "main", options, withEphemeralContainers)) as S;
      }
      return own(patchPart(store, scheme, object, patch, "status", options)) as S;
    },
    async apply<T extends KubeObject>(configuration: T, options: ApplyOptions = {}) {
      only(["status"], "apply");
      return own(applyPart(store, scheme, configuration, "status", withDefaults(options, defaults))) as T;
    },
  };
}
