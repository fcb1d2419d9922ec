import { badRequest } from "../../apimachinery/errors.ts";
import { isJsonObject } from "../../lib/json/json.ts";

/** Where the next chunk of a list starts. Encoded as a kube-apiserver does (storage.EncodeContinue). */
export interface ContinueToken {
  /** Revision of the first chunk; -1: whatever is there now, the list is then not consistent. */
  revision: number;
  /** Last key that the client has, followed by a NUL: the next one is greater. */
  from: string;
}

export function encodeContinue(token: ContinueToken): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: token.from });
  return Buffer.from(json).toString("base64url");
}

/** @throws ApiStatusError 400 when the text is not a token of ours. */
export function decodeContinue(text: string): ContinueToken {
  const bad = /[^A-Za-z0-9_-]/.exec(text)?.index ?? (text.length % 4 === 1 ? text.length - 1 : -1);
  if (bad >= 0) throw broken(`continue key is not valid: illegal base64 data at input byte ${bad}`);
  const token = parse(Buffer.from(text, "base64url").toString());
  if (!isJsonObject(token)) throw broken("continue key is not valid");
  if (token.v !== "meta.k8s.io/v1") {
    throw broken(
      `continue key is not valid: server does not recognize this encoded version ${String(token.v ?? "")}`,
    );
  }
  const { rv, start } = token;
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0) {
    throw broken(
      "continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    );
  }
  if (typeof start !== "string" || start === "") {
    throw broken("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
  }
  return { revision: rv, from: start };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function broken(why: string) {
  return badRequest(`invalid continue token: ${why}`);
}
