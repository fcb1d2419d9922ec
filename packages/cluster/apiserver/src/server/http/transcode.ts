import { badRequest } from "../../apimachinery/errors.ts";
import { decodeProtobuf } from "../../lib/protobuf/decode.ts";
import { ProtobufError } from "../../lib/protobuf/wire.ts";
import { contentType } from "./media-type.ts";
import type { ApiRequest } from "./request.ts";

/**
 * Converts a request with a protobuf body to one with a JSON body. kubectl and all other clients built on
 * client-go write built-in kinds as protobuf, and accept JSON responses. The rest of the server only reads
 * JSON.
 */
export function transcodeRequest(request: ApiRequest): ApiRequest {
  if (contentType(request.headers["content-type"]) !== "application/vnd.kubernetes.protobuf") return request;
  return {
    ...request,
    get warnings() {
      return request.warnings;
    },
    headers: { ...request.headers, "content-type": "application/json" },
    async body() {
      const bytes = await request.body();
      if (bytes.length === 0) return bytes;
      try {
        return Buffer.from(JSON.stringify(decodeProtobuf(bytes)));
      } catch (error) {
        if (error instanceof ProtobufError)
          throw badRequest(`the body is not valid protobuf: ${error.message}`);
        throw error;
      }
    },
  };
}
