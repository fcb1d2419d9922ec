import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";

/** The address of a webhook: WebhookClientConfig of admissionregistration/v1 or apiextensions/v1. */
export interface WebhookTarget {
  /** The URL in requests, without a query: `https://name.namespace.svc:443/path`. */
  readonly url: string;
  /** PEM. Undefined: the authorities that Node.js trusts. */
  readonly ca: string | undefined;
  /** Undefined: connects to the URL's host. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
}

/** Parses a validated clientConfig. */
export function webhookTarget(clientConfig: JsonObject): WebhookTarget {
  const ca =
    typeof clientConfig.caBundle === "string" && clientConfig.caBundle !== ""
      ? Buffer.from(clientConfig.caBundle, "base64").toString()
      : undefined;
  if (!isJsonObject(clientConfig.service)) {
    return { url: String(clientConfig.url), ca, service: undefined };
  }
  const { namespace, name, path, port } = clientConfig.service as JsonObject & {
    namespace: string;
    name: string;
    path?: string;
    port?: number;
  };
  const service = { namespace, name, port: port ?? 443 };
  const url = `https://${name}.${namespace}.svc:${service.port}${withSlash(path ?? "")}`;
  return { url, ca, service };
}

function withSlash(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}
