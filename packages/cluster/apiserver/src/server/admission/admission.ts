import { type ApiStatusError, forbidden } from "../../apimachinery/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { UserInfo } from "../auth/user.ts";
import type { ApiRequest } from "../http/request.ts";
import type { KindLookup } from "../registry/strategy.ts";
import type { Store } from "../storage/store.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { WebhookClient } from "./webhooks/client.ts";

/** What a request is about to do: admission.Attributes of k8s.io/apiserver. */
export interface AdmissionAttributes {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** As requested. */
  readonly type: ResourceType;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for what is cluster-scoped; a Namespace's own name for a Namespace. */
  readonly namespace: string;
  readonly name: string;
  /**
   * The draft, in the version of `type`; mutating plugins change it in place, or replace its members. The body of a
   * subresource that has one of its own (Binding, Eviction, PodExecOptions). undefined for DELETE.
   */
  object: ApiObject | undefined;
  /** Frozen. undefined for CREATE and CONNECT. */
  readonly old: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, … with kind and apiVersion, as an AdmissionReview shows them. */
  readonly options: JsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
  /** Only where webhooks or policies change the object. */
  reinvocation?: Reinvocation;
}

/** What those that change an object remember of one request: after a change the whole chain runs a second time. */
export interface Reinvocation {
  /** 0 or 1. */
  round: number;
  /** Somebody has changed the object. */
  wanted: boolean;
  /** Who was asked, and wants to be asked again (reinvocationPolicy IfNeeded) when there is a later change. */
  readonly asked: Set<string>;
  /** Who is asked in the second round. */
  readonly again: Set<string>;
  /** The object as the last of them left it. */
  last: ApiObject | undefined;
}

/** What plugins may use of the server (the initializers in pkg/admission/initializer of k8s.io/apiserver). */
export interface AdmissionContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  readonly kindOf: KindLookup;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly authorize: Authorizer;
  readonly webhooks: WebhookClient;
}

/** Has a say in every write: admission.MutationInterface and admission.ValidationInterface. Refusals are thrown. */
export interface AdmissionPlugin {
  /** The real plugin's. */
  readonly name: string;
  mutate?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  validate?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  /**
   * Asked about an object that has passed all others, in the same turn as it is written. Refuses by throwing.
   * @returns what to do when it is certain that the object is written
   */
  charge?(attributes: AdmissionAttributes, context: AdmissionContext): (() => void) | undefined;
}

/** Whether a request is for this resource: `pods`, `deployments.apps`; never for a subresource of it. */
export function isFor(attributes: AdmissionAttributes, group: string, plural: string): boolean {
  const { type, subresource } = attributes;
  return subresource === "" && type.plural === plural && type.group === group;
}

/** The refusal of a plugin (admission.NewForbidden): `pods "a" is forbidden: why`. */
export function forbiddenBy(attributes: AdmissionAttributes, why: string): ApiStatusError {
  const { type, object } = attributes;
  const name = attributes.name || object?.metadata.name || object?.metadata.generateName || "Unknown";
  return forbidden(type.group, type.plural, name, why);
}
