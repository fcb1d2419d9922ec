import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import type { Store } from "../../storage/store.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import {
  type MatchCondition,
  type MatchConditions,
  readMatchConditions,
} from "../policies/match-conditions.ts";
import type { MatchResources, Rule } from "./matching.ts";
import { type WebhookTarget, webhookTarget } from "./target.ts";

/** A parsed webhook of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export interface Webhook {
  /** Unique, even among webhooks with the same name. */
  readonly id: string;
  readonly name: string;
  readonly resources: MatchResources;
  readonly matchConditions: MatchConditions;
  readonly target: WebhookTarget;
  readonly failurePolicy: string;
  readonly sideEffects: string;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
  readonly reinvocationPolicy: string;
}

/** Returns a function that reads the configurations of one kind. It parses each version of an object once. */
export function createWebhookReader(collection: string): (store: Store) => readonly Webhook[] {
  const known = new WeakMap<StoredObject, Webhook[]>();
  let revision = -1;
  let current: readonly Webhook[] = [];
  let source: Store | undefined;
  return (store) => {
    if (store.count(collection) === 0) return [];
    if (source === store && revision === store.revision) return current;
    source = store;
    revision = store.revision;
    // A range is sorted by name, which is the order of the calls.
    current = store.range(collection).flatMap((stored) => {
      let webhooks = known.get(stored);
      if (webhooks === undefined) {
        webhooks = readConfiguration(stored);
        known.set(stored, webhooks);
      }
      return webhooks;
    });
    return current;
  };
}

function readConfiguration({ object }: StoredObject): Webhook[] {
  const webhooks = Array.isArray(object.webhooks) ? object.webhooks.filter(isJsonObject) : [];
  const counts = new Map<string, number>();
  return webhooks.map((webhook) => {
    const name = String(webhook.name);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return readWebhook(webhook, `${object.metadata.name}/${name}/${count}`);
  });
}

function readWebhook(webhook: JsonObject, id: string): Webhook {
  return {
    id,
    name: String(webhook.name),
    resources: {
      rules: listOf<Rule>(webhook.rules),
      matchPolicy: String(webhook.matchPolicy ?? "Equivalent"),
      namespaceSelector: isJsonObject(webhook.namespaceSelector) ? webhook.namespaceSelector : {},
      objectSelector: isJsonObject(webhook.objectSelector) ? webhook.objectSelector : {},
    },
    matchConditions: readMatchConditions(listOf<MatchCondition>(webhook.matchConditions)),
    target: webhookTarget(isJsonObject(webhook.clientConfig) ? webhook.clientConfig : {}),
    failurePolicy: String(webhook.failurePolicy ?? "Fail"),
    sideEffects: String(webhook.sideEffects ?? ""),
    timeoutSeconds: typeof webhook.timeoutSeconds === "number" ? webhook.timeoutSeconds : 10,
    reviewVersions: listOf<string>(webhook.admissionReviewVersions),
    reinvocationPolicy: String(webhook.reinvocationPolicy ?? "Never"),
  };
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
