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

/** A request under admission: admission.Attributes of k8s.io/apiserver. */
export interface AdmissionAttributes {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** The requested type. */
  readonly type: ResourceType;
  /** "" for the resource itself. */
  readonly subresource: string;
  /** "" for cluster-scoped objects. For a Namespace, its own name. */
  readonly namespace: string;
  readonly name: string;
  /**
   * The draft in the version of `type`. Mutating plugins change it in place or replace its members. For a
   * subresource with its own kind (Binding, Eviction, PodExecOptions), the body. Undefined for DELETE.
   */
  object: ApiObject | undefined;
  /** Frozen. Undefined for CREATE and CONNECT. */
  readonly old: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, … with kind and apiVersion, as an AdmissionReview shows them. */
  readonly options: JsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
  /** Set only where webhooks or policies change the object. */
  reinvocation?: Reinvocation;
}

/** The state of mutating webhooks for one request. After a change, the whole chain runs a second time. */
export interface Reinvocation {
  /** 0 or 1. */
  round: number;
  /** Whether the object has been changed, so that a second round must follow. */
  wanted: boolean;
  /**
   * Webhooks that have been called and must be called again after a later change (reinvocationPolicy
   * IfNeeded).
   */
  readonly asked: Set<string>;
  /** Webhooks to call in the second round. */
  readonly again: Set<string>;
  /** The object after the last webhook. */
  last: ApiObject | undefined;
}

/**
 * The parts of the server that plugins use (the initializers in pkg/admission/initializer of
 * k8s.io/apiserver).
 */
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

/**
 * An admission plugin: admission.MutationInterface and admission.ValidationInterface. It refuses by throwing.
 */
export interface AdmissionPlugin {
  /** The name of the real plugin. */
  readonly name: string;
  mutate?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  validate?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  /**
   * Called for an object that has passed all other checks, in the same turn as its write. Refuses by
   * throwing.
   * @returns a function to call when the write is certain
   */
  charge?(attributes: AdmissionAttributes, context: AdmissionContext): (() => void) | undefined;
}

/** Returns whether a request is for this resource (`pods`, `deployments.apps`), but not for a subresource. */
export function isFor(attributes: AdmissionAttributes, group: string, plural: string): boolean {
  const { type, subresource } = attributes;
  return subresource === "" && type.plural === plural && type.group === group;
}

/** Returns the refusal of a plugin (admission.NewForbidden): `pods "a" is forbidden: why`. */
export function forbiddenBy(attributes: AdmissionAttributes, why: string): ApiStatusError {
  const { type, object } = attributes;
  const name = attributes.name || object?.metadata.name || object?.metadata.generateName || "Unknown";
  return forbidden(type.group, type.plural, name, why);
}
