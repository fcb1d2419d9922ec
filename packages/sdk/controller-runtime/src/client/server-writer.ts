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

/** What every write does unless its own options say otherwise. */
export interface WriteDefaults {
  /** The field manager of managedFields (Go: client.WithFieldOwner). Default: the server takes the user agent. */
  fieldOwner?: string;
  /** What the server does with fields it does not know (Go: client.WithFieldValidation). Its own default is Warn. */
  fieldValidation?: "Strict" | "Warn" | "Ignore";
  /** Stores nothing, and no call's own options change that (Go: client.NewDryRunClient). Default false. */
  dryRun?: boolean;
}

/** Who sends a write: fills the defaults in, and tells of what was written. */
export interface WriteContext {
  readonly connection: Client;
  readonly scheme: Scheme;
  readonly defaults: WriteDefaults;
  /** Of a write that was stored. */
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
          `the API deletes ${resource.plural} of one namespace at a time: say which in the options`,
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

/** @returns the server's answer @throws what the server answered, with the RBAC rule that an owner reference lacks */
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

/** Where an object is sent to. */
export function target<T extends KubeObject>({ connection, scheme }: WriteContext, object: T) {
  const resource = resourceOf(scheme, object);
  return { resource, api: connection.resource(resource).namespace(object.metadata?.namespace ?? "") };
}

/**
 * The resource of an object that is to be written.
 *
 * @throws SchemeError when the scheme does not know its kind
 * @throws UsageError when it has a namespace that it should not have, or none
 */
export function resourceOf<T extends KubeObject>(scheme: Scheme, object: T): Resource<T> {
  const resource = scheme.resourceFor(object);
  const { namespace, name } = objectKeyOf(object);
  const called = JSON.stringify(name || (object.metadata?.generateName ?? ""));
  if (resource.namespaced && namespace === "") {
    throw new UsageError(
      `a ${resource.kind} lives in a namespace: say which in metadata.namespace of ${called}`,
    );
  }
  if (!resource.namespaced && namespace !== "") {
    throw new UsageError(
      `a ${resource.kind} lives in no namespace: leave metadata.namespace ${JSON.stringify(namespace)} of ${called} out`,
    );
  }
  return resource;
}

/** @throws UsageError when the object has no name */
export function nameOf(object: KubeObject, resource: Resource): string {
  const { name } = object.metadata ?? {};
  if (!name)
    throw new UsageError(`a ${resource.kind} of ${apiVersionOf(resource)} without metadata.name: say which`);
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

/** A dry-run client stores nothing, whatever a call asks for (Go: NewDryRunClient appends DryRunAll last). */
export function isDryRun(options: { readonly dryRun?: boolean }, defaults: WriteDefaults): boolean {
  return (options.dryRun || defaults.dryRun) ?? false;
}

/** @throws UsageError when nobody is named whose fields these are */
export function applyOptions(options: ApplyOptions, defaults: WriteDefaults): SentPatchOptions {
  const asked = withDefaults(options, defaults);
  if (!asked.fieldManager) {
    throw new UsageError(
      "server-side apply needs to know whose fields these are: say fieldManager in the options, or fieldOwner of the client",
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
