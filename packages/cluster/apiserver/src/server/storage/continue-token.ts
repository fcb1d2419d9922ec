import { badRequest } from "../../apimachinery/errors.ts";
import { isJsonObject } from "../../lib/json/json.ts";
import { parseJson } from "../../lib/json/parse-json.ts";

/** The start of a list's next chunk, encoded as in kube-apiserver (storage.EncodeContinue). */
export interface ContinueToken {
  /** The revision of the first chunk. -1: the current one, so that the list is not consistent. */
  revision: number;
  /** The last key that the client has, followed by a NUL: the next key is greater. */
  from: string;
}

export function encodeContinue(token: ContinueToken): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: token.from });
  return Buffer.from(json).toString("base64url");
}

/** Decodes a token. @throws ApiStatusError 400 when this server did not create it */
export function decodeContinue(text: string): ContinueToken {
  const bad = /[^A-Za-z0-9_-]/.exec(text)?.index ?? (text.length % 4 === 1 ? text.length - 1 : -1);
  if (bad >= 0) throw broken(`continue key is not valid: illegal base64 data at input byte ${bad}`);
  const token = parse(Buffer.from(text, "base64url"));
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

function parse(json: Buffer): unknown {
  try {
    return parseJson(json.toString()).value;
  } catch {
    throw broken(`continue key is not valid: ${problemOf(json)}`);
  }
}

/** Returns the message of Go's parser, which reads bytes. */
function problemOf(json: Buffer): string {
  try {
    parseJson(json.toString("latin1"));
    return "invalid UTF-8";
  } catch (error) {
    return (error as Error).message;
  }
}

function broken(why: string) {
  return badRequest(`invalid continue token: ${why}`);
}
