import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";

/** apiextensions/v1 ConversionReview, as the server sends it. */
export interface ConversionReview {
  kind: "ConversionReview";
  apiVersion: string;
  request: { uid: string; desiredAPIVersion: string; objects: readonly ApiObject[] };
}

/** Returns a review. @param version `v1`, or the older `v1beta1`, which has the same fields */
export function createConversionReview(
  version: string,
  uid: string,
  objects: readonly ApiObject[],
  desiredAPIVersion: string,
): ConversionReview {
  const apiVersion = `apiextensions.k8s.io/${version}`;
  return { kind: "ConversionReview", apiVersion, request: { uid, desiredAPIVersion, objects } };
}

/**
 * Reads a webhook's response. Returns response.convertedObjects, unchecked.
 *
 * @throws Error with a real server's message, or with the webhook's own one if it failed
 */
export function readConversionReview(answer: unknown, { apiVersion, request }: ConversionReview): unknown[] {
  const review = isJsonObject(answer) ? (answer as JsonObject) : {};
  if (review.kind !== "ConversionReview" || review.apiVersion !== apiVersion) {
    const [group, version] = apiVersion.split("/");
    const given = String(review.apiVersion ?? "");
    const [givenGroup, givenVersion] = given.includes("/") ? given.split("/") : ["", given];
    throw new Error(
      `expected webhook response of ${group}/${version}, Kind=ConversionReview, got ${givenGroup}/${givenVersion}, Kind=${String(review.kind ?? "")}`,
    );
  }
  const { response } = review;
  if (!isJsonObject(response)) throw new Error("no response provided");
  const isV1 = apiVersion.endsWith("/v1");
  if (isV1 && response.uid !== request.uid) {
    const given = JSON.stringify(String(response.uid ?? ""));
    throw new Error(`expected response.uid=${JSON.stringify(request.uid)}, got ${given}`);
  }
  const result = isJsonObject(response.result) ? response.result : {};
  if (result.status !== "Success") {
    const { message } = result;
    if (typeof message === "string" && message !== "") throw new Error(message);
    throw new Error(`response.result.status was '${String(result.status ?? "")}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}
