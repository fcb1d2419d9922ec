import { type LargeIntegers, parseJson, stringifyJson } from "../server/exact-json.ts";
import type { AdmissionRequest } from "./request.ts";
import type { AdmissionResponse } from "./response.ts";

/** A parsed admission/v1 AdmissionReview. v1beta1 has the same shape. */
export interface AdmissionReview {
  apiVersion: string;
  request: AdmissionRequest;
  /** The exact text of integers that JavaScript numbers cannot represent. Patches must not change them. */
  large: LargeIntegers;
}

const versions = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

/** @throws Error saying why the text is not a review */
export function readReview(text: string): AdmissionReview {
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(text);
  } catch (cause) {
    throw new Error(`unable to decode the request: it is not JSON`, { cause });
  }
  const { value: review, large } = parsed;
  if (!isRecord(review)) throw new Error("unable to decode the request: it is not an AdmissionReview");
  const { apiVersion = versions[0], kind = "AdmissionReview", request } = review;
  if (kind !== "AdmissionReview" || typeof apiVersion !== "string" || !versions.includes(apiVersion)) {
    throw new Error(
      `unable to decode the request: it is a ${String(apiVersion)}, Kind=${String(kind)}, expected an AdmissionReview of admission.k8s.io/v1`,
    );
  }
  if (!isRecord(request) || typeof request.uid !== "string") {
    throw new Error("unable to decode the request: the AdmissionReview has no request with a uid");
  }
  return { apiVersion, request: request as unknown as AdmissionRequest, large };
}

/**
 * Returns the answer, in the version of the review.
 *
 * @throws Error when an integer in a patch cannot be written exactly
 */
export function writeReview(
  apiVersion: string,
  uid: string,
  response: AdmissionResponse,
  large: LargeIntegers = new Map(),
) {
  const { allowed, status, patches = [], auditAnnotations } = response;
  const warnings = (response.warnings ?? []).map(headerText).filter((each) => each !== "");
  return {
    apiVersion,
    kind: "AdmissionReview",
    response: {
      uid,
      allowed,
      status: { metadata: {}, ...status, code: status?.code || 200 },
      ...(patches.length > 0 && {
        patchType: "JSONPatch",
        patch: Buffer.from(stringifyJson(patches, large)).toString("base64"),
      }),
      ...(warnings.length > 0 && { warnings }),
      ...(auditAnnotations && { auditAnnotations }),
    },
  };
}

/** A warning becomes a header value. Servers drop multi-line values and cannot read control characters. */
function headerText(warning: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  return String(warning ?? "").replace(/[\x00-\x1f\x7f]+/g, " ");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
