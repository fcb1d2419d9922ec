import { isDns1123Subdomain } from "../../lib/formats/names.ts";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { text } from "../../lib/json/read.ts";
import type { StatusCause } from "../errors.ts";
import { invalid, required } from "./cause.ts";

/** Validates a WebhookClientConfig of admissionregistration/v1 or apiextensions/v1. */
export function validateWebhookClientConfig(config: JsonObject, path: string): StatusCause[] {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  if (isJsonObject(service)) return validateService(service, `${path}.service`);
  return validateUrl(text(url), `${path}.url`);
}

const form = "; desired format: https://host[/path]";

function validateUrl(url: string, path: string): StatusCause[] {
  // Go's url.Parse accepts nearly every text. This expression of RFC 3986 splits it into parts.
  const [, scheme = "", authority, , query, fragment = ""] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? [];
  const at = authority?.lastIndexOf("@") ?? -1;
  const host = authority?.slice(at + 1) ?? "";
  const causes: StatusCause[] = [];
  if (scheme !== "https") {
    causes.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (host === "") causes.push(invalid(path, host, `host must be specified${form}`));
  if (at >= 0) {
    causes.push(invalid(path, authority?.slice(0, at), "user information is not permitted in the URL"));
  }
  if (fragment !== "") causes.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query) causes.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return causes;
}

function validateService(service: JsonObject, path: string): StatusCause[] {
  const { port } = service;
  const causes: StatusCause[] = [];
  if (text(service.name) === "") causes.push(required(`${path}.name`));
  if (text(service.namespace) === "") causes.push(required(`${path}.namespace`));
  if (typeof port === "number" && (port < 1 || port > 65_535)) {
    causes.push(invalid(`${path}.port`, port, "port is not valid: must be between 1 and 65535, inclusive"));
  }
  return [...causes, ...validatePath(text(service.path), `${path}.path`)];
}

function validatePath(path: string, field: string): StatusCause[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalid(field, path, "segment[0] may not be empty")];
  const causes = path.startsWith("/") ? [] : [invalid(field, path, "must start with a '/'")];
  const segments = path.slice(1).replace(/\/$/, "").split("/");
  segments.forEach((segment, index) => {
    const errors =
      segment === ""
        ? [`segment[${index}] may not be empty`]
        : isDns1123Subdomain(segment).map((error) => `segment[${index}]: ${error}`);
    causes.push(...errors.map((error) => invalid(field, path, error)));
  });
  return causes;
}
