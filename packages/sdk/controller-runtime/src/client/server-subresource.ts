import type { KubeObject, WriteOptions } from "@operator-path/client";
import { refuseMetadataAlone } from "./metadata-only.ts";
import { objectKeyOf } from "./object-key.ts";
import type { Patch } from "./patch.ts";
import { applyOptions, nameOf, noted, target, type WriteContext, withDefaults } from "./server-writer.ts";
import type { SubResourceClient } from "./subresource.ts";
import type { PatchOptions } from "./writer.ts";

export function createSubResourceClient(context: WriteContext, subresource: string): SubResourceClient {
  const { defaults } = context;

  /** The answer is the object, or something else with its version, for example a Scale. */
  function wrote(object: KubeObject, answer: KubeObject, dryRun: boolean | undefined): void {
    const { resource } = target(context, object);
    if (dryRun || !answer.metadata?.resourceVersion) return;
    if (answer.kind === resource.kind) noted(context, resource, {}, answer);
    else {
      context.wrote({
        resource,
        key: objectKeyOf(object),
        resourceVersion: answer.metadata.resourceVersion,
      });
    }
  }

  return {
    async get<S extends KubeObject>(object: KubeObject, options = {}) {
      const { resource, api } = target(context, object);
      return api.getSubresource<S>(nameOf(object, resource), subresource, options);
    },
    async create<S extends KubeObject>(object: KubeObject, body: S, options: WriteOptions = {}) {
      const { resource, api } = target(context, object);
      const asked = withDefaults(options, defaults);
      const answer = await api.createSubresource<S>(nameOf(object, resource), subresource, body, asked);
      wrote(object, answer, asked.dryRun);
      return answer;
    },
    async update<S extends KubeObject>(
      object: KubeObject,
      options: WriteOptions & { body?: KubeObject } = {},
    ) {
      if (!options.body) refuseMetadataAlone(object);
      const { resource, api } = target(context, object);
      const { body = object, ...rest } = options;
      const asked = withDefaults(rest, defaults);
      const answer = await api.updateSubresource<S>(nameOf(object, resource), subresource, body, asked);
      wrote(object, answer, asked.dryRun);
      return answer;
    },
    async patch<T extends KubeObject, S extends KubeObject>(
      object: T,
      patch: Patch<NoInfer<T>>,
      options: PatchOptions = {},
    ) {
      const { resource, api } = target(context, object);
      const asked = { ...withDefaults(options, defaults), type: patch.type, subresource };
      const answer: KubeObject = await api.patch(nameOf(object, resource), patch.data(object), asked);
      wrote(object, answer, asked.dryRun);
      return answer as S;
    },
    async apply(configuration, options = {}) {
      const { resource, api } = target(context, configuration);
      const asked = { ...applyOptions(options, defaults), subresource };
      const answer = await api.patch(nameOf(configuration, resource), configuration, asked);
      wrote(configuration, answer, asked.dryRun);
      return answer;
    },
  };
}
