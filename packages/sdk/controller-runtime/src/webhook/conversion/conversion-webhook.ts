import type { KubeObject } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import { isPanic } from "../../controller/error-kinds.ts";
import { createLogger } from "../../log/create-logger.ts";
import type { Logger } from "../../log/logger.ts";
import { type LargeIntegers, parseJson } from "../server/exact-json.ts";
import { jsonAnswer, textAnswer, type WebhookHandler } from "../server/handler.ts";
import { noMetrics } from "../server/no-metrics.ts";
import { webhookMetrics } from "../server/webhook-metrics.ts";
import type { ConverterRegistry } from "./converter.ts";

/** apiextensions/v1 ConversionRequest. */
interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: KubeObject[];
}

/** Configures `conversionWebhook`. */
export interface ConversionWebhookOptions {
  log?: Logger | undefined;
  /** Default: no metrics. */
  metrics?: MetricsProvider | undefined;
}

/** Creates a handler for ConversionReviews of all kinds in a registry. Go: conversion.NewWebhookHandler. */
export function conversionWebhook(
  converters: ConverterRegistry,
  options: ConversionWebhookOptions = {},
): WebhookHandler {
  const log = (options.log ?? createLogger()).child({ logger: "conversion-webhook" });
  const panics = (options.metrics ?? noMetrics).counter(webhookMetrics.conversionPanics, {});

  async function convert(object: KubeObject, apiVersion: string): Promise<KubeObject> {
    const { kind = "", apiVersion: from = "" } = object;
    const group = from.includes("/") ? (from.split("/")[0] ?? "") : "";
    const converter = converters.get(group, kind);
    if (!converter)
      throw new Error(
        `${kind} of ${from} is not convertible to ${apiVersion}: no converter is registered for it`,
      );
    return converter.convert(object, apiVersion);
  }

  /** Keeps the order, and runs asynchronous conversions concurrently. */
  async function respond({ uid, objects, desiredAPIVersion }: ConversionRequest) {
    try {
      const convertedObjects = await Promise.all(objects.map((object) => convert(object, desiredAPIVersion)));
      return { uid, convertedObjects, result: { metadata: {}, status: "Success" } };
    } catch (error) {
      if (error instanceof Error && error.cause !== undefined && isPanic(error.cause)) panics.inc();
      return failure(uid, error);
    }
  }

  function failure(uid: string, error: unknown) {
    log.error({ request: uid, error }, "failed to convert");
    const message = error instanceof Error ? error.message : String(error);
    return { uid, convertedObjects: [], result: { metadata: {}, status: "Failure", message } };
  }

  return async ({ body }) => {
    const review = read(body.toString());
    if (typeof review === "string") {
      log.error(`failed to read conversion request: ${review}`);
      return textAnswer(400, review);
    }
    const { apiVersion, request, large } = review;
    const answer = (response: unknown) => ({ apiVersion, kind: "ConversionReview", response });
    const response = await respond(request);
    try {
      return jsonAnswer(answer(response), large);
    } catch (error) {
      return jsonAnswer(answer(failure(request.uid, error)));
    }
  };
}

interface ReadReview {
  apiVersion: string;
  request: ConversionRequest;
  large: LargeIntegers;
}

/** @returns the review, or a message that says why it is invalid */
function read(text: string): ReadReview | string {
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(text);
  } catch {
    return "the request is not JSON";
  }
  const { apiVersion, kind, request } = (parsed.value ?? {}) as Record<string, unknown>;
  if (kind !== "ConversionReview" || typeof apiVersion !== "string")
    return "the request is not a ConversionReview";
  const { uid, desiredAPIVersion, objects } = (request ?? {}) as Record<string, unknown>;
  if (typeof uid !== "string" || typeof desiredAPIVersion !== "string" || !Array.isArray(objects)) {
    return "conversion request is nil, or has no uid, desiredAPIVersion or objects";
  }
  if (!objects.every((object) => typeof object === "object" && object !== null)) {
    return "an item in objects of the conversion request is not an object";
  }
  return { apiVersion, request: { uid, desiredAPIVersion, objects }, large: parsed.large };
}
