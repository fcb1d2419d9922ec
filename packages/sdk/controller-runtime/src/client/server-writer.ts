import {
  apiVersionOf,
  type Client,
  type KubeObject,
  type PatchBodies,
  type PatchType,
  type Resource,
  type PatchOptions as SentPatchOptions,
  UsageError,
  type WriteOptions,
} from "@operator-path/client";
import type { Write } from "../cache/write.ts";
import { refuseMetadataAlone } from "./metadata-only.ts";
import { objectKeyOf } from "./object-key.ts";
import { withMissingRule } from "./owner-rule.ts";
import type { Scheme } from "./scheme.ts";
import { refuseUndefined, selectorsOf } from "./selector-text.ts";
import { deletionNoteOf, noteOf } from "./write-note.ts";
import type { ApplyOptions, Writer } from "./writer.ts";

/** Defaults for all writes. The options of a call override them. */
export interface WriteDefaults {
  /**
   * The field manager in managedFields. Default: the server uses the user agent. Go: client.WithFieldOwner.
   */
  fieldOwner?: string;
  /**
   * What the server does with unknown fields. The server's default is Warn. Go: client.WithFieldValidation.
   */
  fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Stores nothing. The options of a call cannot change that. Default false. Go: client.NewDryRunClient. */
  dryRun?: boolean;
}

/** Shared by all writers of a client: adds the defaults and reports stored writes. */
export interface WriteContext {
  readonly connection: Client;
  readonly scheme: Scheme;
  readonly defaults: WriteDefaults;
  /** Called after each stored write. */
  wrote(write: Write): void;
}

export function createServerWriter(context: WriteContext): Writer {
  const { connection, defaults } = context;
  return {
    async create<T extends KubeObject>(object: T, options: WriteOptions = {}) {
      refuseMetadataAlone(object);
      const { resource, api } = target(context, object);
      const asked = withDefaults(options, defaults);
      return noted(
        context,
        resource,
        asked,
        await sent(context, object, resource, api.create(object, asked)),
      );
    },
    async update<T extends KubeObject>(object: T, options: WriteOptions = {}) {
      refuseMetadataAlone(object);
      const { resource, api } = target(context, object);
      const asked = withDefaults(options, defaults);
      return noted(
        context,
        resource,
        asked,
        await sent(context, object, resource, api.update(object, asked)),
      );
    },
    async patch(object, patch, options = {}) {
      const { resource, api } = target(context, object);
      const asked = { ...withDefaults(options, defaults), type: patch.type };
      const data = patch.data(object) as PatchBodies<typeof object>[PatchType];
      const answer = api.patch(nameOf(object, resource), data, asked);
      return noted(context, resource, asked, await sent(context, object, resource, answer));
    },
    apply: (async (configuration: KubeObject, options: ApplyOptions = {}) => {
      const { resource, api } = target(context, configuration);
      const asked = applyOptions(options, defaults);
      const answer = api.patch(nameOf(configuration, resource), configuration, asked);
      return noted(context, resource, asked, await sent(context, configuration, resource, answer));
    }) as Writer["apply"],
    async delete(object, options = {}) {
      const { resource, api } = target(context, object);
      const dryRun = isDryRun(options, defaults);
      const answer = await api.delete(nameOf(object, resource), { ...options, dryRun });
      if (!dryRun) context.wrote(deletionNoteOf(resource, object, answer as KubeObject));
    },
    async deleteAllOf(resource, options = {}) {
      refuseUndefined(options);
      const { namespace = "", labels, labelSelector, fields, ...rest } = options;
      if (resource.namespaced && namespace === "") {
        throw new UsageError(
          `the API deletes ${resource.plural} in one namespace at a time: set namespace in the options`,
        );
      }
      const selection = selectorsOf({
        ...(labels ? { labels } : {}),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fields ? { fields } : {}),
      });
      const dryRun = isDryRun(options, defaults);
      const api = connection.resource(resource).namespace(resource.namespaced ? namespace : "");
      await api.deleteCollection({ ...rest, ...selection, dryRun });
    },
  };
}

/**
 * @returns the server's answer
 * @throws the server's error, with the missing RBAC rule when an owner reference was rejected
 */
async function sent<T>(
  { scheme }: WriteContext,
  object: KubeObject,
  resource: Resource,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw withMissingRule(error, object, resource, scheme);
  }
}

/** Returns the resource and the API path of an object. */
export function target<T extends KubeObject>({ connection, scheme }: WriteContext, object: T) {
  const resource = resourceOf(scheme, object);
  return { resource, api: connection.resource(resource).namespace(object.metadata?.namespace ?? "") };
}

/**
 * Returns the resource of an object to be written.
 *
 * @throws SchemeError when the scheme does not know its kind
 * @throws UsageError when its namespace is missing, or set for a cluster-scoped kind
 */
export function resourceOf<T extends KubeObject>(scheme: Scheme, object: T): Resource<T> {
  const resource = scheme.resourceFor(object);
  const { namespace, name } = objectKeyOf(object);
  const called = JSON.stringify(name || (object.metadata?.generateName ?? ""));
  if (resource.namespaced && namespace === "") {
    throw new UsageError(`a ${resource.kind} is namespaced: set metadata.namespace of ${called}`);
  }
  if (!resource.namespaced && namespace !== "") {
    throw new UsageError(
      `a ${resource.kind} is cluster-scoped: remove metadata.namespace ${JSON.stringify(namespace)} from ${called}`,
    );
  }
  return resource;
}

/** @throws UsageError when the object has no name */
export function nameOf(object: KubeObject, resource: Resource): string {
  const { name } = object.metadata ?? {};
  if (!name)
    throw new UsageError(`a ${resource.kind} of ${apiVersionOf(resource)} has no metadata.name: set it`);
  return name;
}

export function withDefaults<O extends WriteOptions>(options: O, defaults: WriteDefaults): O {
  const fieldManager = options.fieldManager ?? defaults.fieldOwner;
  const fieldValidation = options.fieldValidation ?? defaults.fieldValidation;
  return {
    ...options,
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    dryRun: isDryRun(options, defaults),
  };
}

/** A dry-run client stores nothing, whatever a call requests (Go: NewDryRunClient appends DryRunAll last). */
export function isDryRun(options: { readonly dryRun?: boolean }, defaults: WriteDefaults): boolean {
  return (options.dryRun || defaults.dryRun) ?? false;
}

/** @throws UsageError when there is no field manager */
export function applyOptions(options: ApplyOptions, defaults: WriteDefaults): SentPatchOptions {
  const asked = withDefaults(options, defaults);
  if (!asked.fieldManager) {
    throw new UsageError(
      "server-side apply needs a field manager: set fieldManager in the options, or fieldOwner of the client",
    );
  }
  return { ...asked, type: "apply" };
}

export function noted<T extends KubeObject>(
  context: WriteContext,
  resource: Resource,
  { dryRun = false }: WriteOptions,
  answer: T,
): T {
  if (!dryRun) context.wrote(noteOf(resource, answer));
  return answer;
}
