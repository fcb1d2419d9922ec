import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";

/** Where a webhook listens: admissionregistration/v1 WebhookClientConfig, and apiextensions/v1's of the same shape. */
export interface WebhookTarget {
  /** As requests name it, without a query: `https://name.namespace.svc:443/path`. */
  readonly url: string;
  /** PEM; undefined: the authorities that Node.js trusts. */
  readonly ca: string | undefined;
  /** undefined: the URL's host is dialled. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
}

/** Reads a clientConfig that was validated. */
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
