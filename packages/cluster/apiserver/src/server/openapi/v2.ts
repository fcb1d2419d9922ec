import { kubernetesVersion } from "../../generated/kubernetes.ts";
import type { PublishedDocument } from "../discovery/discovery.ts";

/** Clients request it as `…v2@v1.0+protobuf`, which is not a valid media type for a response. */
const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * Returns `/openapi/v2`: a document without definitions, as protobuf (gnostic's openapi.v2.Document) or JSON.
 * Kinds are described in v3. kubectl requests v2 only if v3 lacks a kind, to report that it does not exist.
 * Without a response it reports a failed download instead. `kubectl explain --output=plaintext-openapiv2`
 * finds nothing here.
 */
export function openapiV2Document(accept: string): PublishedDocument {
  const info = { title: "Kubernetes", version: `v${kubernetesVersion}` };
  const headers = { "cache-control": "no-cache, private", vary: "Accept" };
  if (accept.includes("proto-openapi.spec.v2")) {
    const body = Buffer.concat([
      text(1, "2.0"),
      field(2, Buffer.concat([text(1, info.title), text(2, info.version)])),
    ]);
    return { headers: { ...headers, "content-type": protobuf }, body };
  }
  const body = Buffer.from(JSON.stringify({ swagger: "2.0", info, paths: {}, definitions: {} }));
  return { headers: { ...headers, "content-type": "application/json" }, body };
}

function text(number: number, value: string): Buffer {
  return field(number, Buffer.from(value));
}

/** Encodes a length-delimited field of less than 128 bytes. */
function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), value]);
}
