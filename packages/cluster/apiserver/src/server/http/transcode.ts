import { badRequest } from "../../apimachinery/errors.ts";
import { decodeProtobuf } from "../../lib/protobuf/decode.ts";
import { ProtobufError } from "../../lib/protobuf/wire.ts";
import { contentType } from "./media-type.ts";
import type { ApiRequest } from "./request.ts";

/**
 * A request whose body is protobuf, as the same request with a JSON body. kubectl and everything else built on client-go
 * write built-in kinds so (and take JSON for an answer); nobody beyond this needs to know.
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
