import { kubernetesVersion } from "../../generated/kubernetes.ts";
import type { PublishedDocument } from "../discovery/discovery.ts";

/** Asked for as `…v2@v1.0+protobuf`, which is no legal media type to answer with. */
const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * `/openapi/v2`: a document without a single definition, as protobuf (gnostic's openapi.v2.Document) or JSON. The kinds
 * are described in v3; kubectl asks for v2 only when v3 lacks a kind, to say that there is no such kind, and without an
 * answer it blames the download instead. `kubectl explain --output=plaintext-openapiv2` finds nothing here.
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

/** A length-delimited field of less than 128 bytes. */
function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, value.length]), value]);
}
