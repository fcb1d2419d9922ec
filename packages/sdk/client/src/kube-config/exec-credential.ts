import { createSecureContext } from "node:tls";
import { load } from "js-yaml";
import type { Credential } from "./credential.ts";

/** The cluster, as passed to a plugin with `provideClusterInfo` (client-go: clientauthentication.Cluster). */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64 of PEM. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  /** The extension of the kubeconfig's cluster for its exec plugins, unchanged. */
  readonly config: unknown;
}

/** Returns the value of KUBERNETES_EXEC_INFO for a plugin: an ExecCredential with a spec. */
export function execInfo(
  apiVersion: string,
  { interactive, cluster }: { interactive: boolean; cluster?: ExecCluster },
): string {
  return JSON.stringify({
    kind: "ExecCredential",
    apiVersion,
    spec: { ...(cluster && { cluster }), interactive },
  });
}

export interface ExecAnswer extends Credential {
  /** When it expires, in milliseconds since the epoch. Default: when the server rejects it. */
  readonly expires?: number;
}

/**
 * Parses the output of a plugin: an ExecCredential with a status.
 *
 * @throws Error that names the problem, without any secret from the output
 */
export function readExecCredential(printed: string, expected: string): ExecAnswer {
  const { kind, apiVersion, status } = parsed(printed);
  if (kind !== "ExecCredential") throw new Error(`printed the kind ${shown(kind)}, not ExecCredential`);
  if (apiVersion !== expected) {
    throw new Error(
      `answered with apiVersion ${shown(apiVersion)}, but the kubeconfig has ${expected}: make them the same`,
    );
  }
  if (typeof status !== "object" || status === null) throw new Error("answered without a status");
  const own = status as Partial<Record<string, unknown>>;
  const text = (field: string): string => {
    const value = own[field] ?? "";
    if (typeof value !== "string") throw new Error(`answered with a status.${field} that is not a string`);
    return value;
  };
  const [token, cert, key] = [text("token"), text("clientCertificateData"), text("clientKeyData")];
  if (!token && !cert && !key) throw new Error("answered with neither a token nor a client certificate");
  if (!cert !== !key) throw new Error("answered with only one of clientCertificateData and clientKeyData");
  if (cert) checkPair(cert, key);
  const expires = expiryOf(text("expirationTimestamp"));
  return { ...(token && { token }), ...(cert && { cert, key }), ...(expires !== undefined && { expires }) };
}

/** The zero value of Go's time.Time. */
const zeroTime = Date.parse("0001-01-01T00:00:00Z");

function expiryOf(text: string): number | undefined {
  if (text === "") return undefined;
  const expires = parseRfc3339(text);
  if (Number.isNaN(expires)) {
    throw new Error(`answered with the expirationTimestamp ${shown(text)}, which is not an RFC 3339 time`);
  }
  return expires === zeroTime ? undefined : expires;
}

function parsed(text: string): Partial<Record<string, unknown>> {
  let value: unknown;
  try {
    // YAML includes JSON.
    value = load(text);
  } catch {
    // The error quotes the output, which may contain a secret.
    value = undefined;
  }
  if (typeof value === "object" && value !== null) return value as Partial<Record<string, unknown>>;
  throw new Error(text.trim() === "" ? "printed nothing" : "did not print an ExecCredential in JSON or YAML");
}

/**
 * Checks the pair here, where the error can name the plugin. A connection would only report that TLS failed.
 */
function checkPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(
      `answered with a client certificate and key that cannot be used: ${(error as Error).message}`,
    );
  }
}

function shown(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value).slice(0, 100);
}

/**
 * `Date.parse` also accepts dates without a time, times without a zone (as local time), and the 30th of
 * February.
 */
const format =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses an RFC 3339 time as Go does (time.Parse with time.RFC3339) to milliseconds since the epoch, or NaN.
 */
function parseRfc3339(text: string): number {
  const [, day] = format.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const midnight = new Date(day);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isDay ? Date.parse(text) : Number.NaN;
}
