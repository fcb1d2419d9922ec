import { isDeepStrictEqual } from "node:util";
import { badRequest, internalError } from "../../../apimachinery/errors.ts";
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonPatch,
} from "../../../apimachinery/patch/json-patch.ts";
import type { ApiObject, JsonValue } from "../../../lib/json/json.ts";
import type { AdmissionAttributes, AdmissionContext, AdmissionPlugin } from "../admission.ts";
import { callWebhook, failOrIgnore, matchesConditions, WebhookFailure } from "./call.ts";
import { createWebhookReader, type Webhook } from "./configurations.ts";
import { fromReviewed, reviewedObjects } from "./convert.ts";
import { isExempt, match } from "./matching.ts";
import { redecode } from "./redecode.ts";
import type { Match, ReviewedObjects } from "./review.ts";

/**
 * Returns the plugin that calls the webhooks of MutatingWebhookConfigurations in sequence, sorted by
 * configuration. If the object changes, the chain runs a second time. The second run calls webhooks with
 * reinvocationPolicy IfNeeded again.
 */
export function mutatingWebhooks(): AdmissionPlugin {
  const read = createWebhookReader("mutatingwebhookconfigurations.admissionregistration.k8s.io");
  return {
    name: "MutatingAdmissionWebhook",
    mutate(attributes, context) {
      const webhooks = read(context.store);
      if (webhooks.length === 0 || isExempt(attributes)) return;
      return askAll(webhooks, attributes, context);
    },
  };
}

async function askAll(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<void> {
  attributes.reinvocation ??= {
    round: 0,
    wanted: false,
    asked: new Set(),
    again: new Set(),
    last: undefined,
  };
  const state = attributes.reinvocation;
  const requireAgain = () => {
    for (const id of state.asked) state.again.add(id);
    state.asked.clear();
  };
  // Other plugins have changed the object since the last webhook.
  if (state.round > 0 && !isDeepStrictEqual(state.last, attributes.object)) requireAgain();
  for (const webhook of webhooks) {
    if (state.round > 0 && !state.again.has(webhook.id)) continue;
    const found = match(webhook.resources, attributes, context);
    if (found === undefined) continue;
    const objects = await reviewedObjects(attributes, found, context);
    if (!matchesConditions(webhook, found, attributes, objects, context)) continue;
    let changed = false;
    try {
      const { patch, patchType } = await callWebhook(webhook, found, attributes, objects, context, true);
      if (patch !== undefined) {
        changed = await applyPatch(patch, patchType, webhook, found, objects, attributes, context);
      }
    } catch (error) {
      failOrIgnore(error, webhook);
      attributes.request.signal.throwIfAborted();
    }
    if (changed) {
      requireAgain();
      state.wanted = true;
    }
    if (webhook.reinvocationPolicy === "IfNeeded") state.asked.add(webhook.id);
  }
  state.last = structuredClone(attributes.object);
}

/** Changes the draft in place. @returns whether it has changed */
async function applyPatch(
  text: string,
  patchType: string,
  webhook: Webhook,
  found: Match,
  objects: ReviewedObjects,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<boolean> {
  const operations = parseOperations(text, webhook);
  if (operations.length === 0) return false;
  const { object } = attributes;
  if (object === undefined) {
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== "JSONPatch") {
    throw new WebhookFailure(webhook.name, `unsupported patch type ${JSON.stringify(patchType)}`);
  }
  let patched: ApiObject;
  try {
    patched = jsonPatch(objects.object ?? object, operations) as ApiObject;
  } catch (error) {
    if (error instanceof JsonPatchError) throw internalError(error.message);
    throw error;
  }
  const next = await fromReviewed(
    redecode(webhook.name, patched, found, attributes, context),
    attributes,
    found,
    context,
  );
  if (
    attributes.type.namespaced &&
    (next.metadata.namespace ?? attributes.namespace) !== attributes.namespace
  ) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  const changed = !isDeepStrictEqual(next, object);
  if (changed) replaceMembers(object, next);
  return changed;
}

function parseOperations(text: string, webhook: Webhook): JsonPatchOperation[] {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new WebhookFailure(
      webhook.name,
      `received undecodable patch in webhook response: ${(error as Error).message}`,
    );
  }
  if (Array.isArray(value)) return value as JsonPatchOperation[];
  const kind = value === null ? "null" : typeof value === "boolean" ? "bool" : typeof value;
  throw new WebhookFailure(
    webhook.name,
    `received undecodable patch in webhook response: json: cannot unmarshal ${kind} into Go value of type jsonpatch.Patch`,
  );
}

/** Replaces all members: the caller holds a reference to the draft, so it must stay the same object. */
function replaceMembers(target: ApiObject, source: ApiObject): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source);
}
