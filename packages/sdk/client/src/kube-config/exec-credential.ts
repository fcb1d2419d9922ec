import { createSecureContext } from "node:tls";
import { load } from "js-yaml";
import type { Credential } from "./credential.ts";

/** What a plugin is told of the cluster, if its user says so (client-go: clientauthentication.Cluster). */
export interface ExecCluster {
  readonly server: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  /** Base64 of PEM. */
  readonly "certificate-authority-data"?: string;
  readonly "proxy-url"?: string;
  /** What the kubeconfig's cluster has for its exec plugins, as it is. */
  readonly config: unknown;
}

/** The question, for KUBERNETES_EXEC_INFO: an ExecCredential with a spec. */
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
  /** Milliseconds since the epoch until which it counts. Default: until the server refuses it. */
  readonly expires?: number;
}

/**
 * The answer: an ExecCredential with a status.
 *
 * @throws Error that says what it lacks, without what is secret in it
 */
export function readExecCredential(printed: string, expected: string): ExecAnswer {
  const { kind, apiVersion, status } = parsed(printed);
  if (kind !== "ExecCredential") throw new Error(`has printed the kind ${shown(kind)}, not ExecCredential`);
  if (apiVersion !== expected) {
    throw new Error(
      `has answered with apiVersion ${shown(apiVersion)}, where the kubeconfig says ${expected}: make them the same`,
    );
  }
  if (typeof status !== "object" || status === null) throw new Error("has answered without a status");
  const own = status as Partial<Record<string, unknown>>;
  const text = (field: string): string => {
    const value = own[field] ?? "";
    if (typeof value !== "string") throw new Error(`has answered with a status.${field} that is no text`);
    return value;
  };
  const [token, cert, key] = [text("token"), text("clientCertificateData"), text("clientKeyData")];
  if (!token && !cert && !key) throw new Error("has answered with neither a token nor a client certificate");
  if (!cert !== !key)
    throw new Error("has answered with only one of clientCertificateData and clientKeyData");
  if (cert) checkPair(cert, key);
  const expires = expiryOf(text("expirationTimestamp"));
  return { ...(token && { token }), ...(cert && { cert, key }), ...(expires !== undefined && { expires }) };
}

/** Go's time.Time that nobody has set, as it is written. */
const zeroTime = Date.parse("0001-01-01T00:00:00Z");

function expiryOf(text: string): number | undefined {
  if (text === "") return undefined;
  const expires = parseRfc3339(text);
  if (Number.isNaN(expires)) {
    throw new Error(`has answered with the expirationTimestamp ${shown(text)}, which is no RFC 3339 time`);
  }
  return expires === zeroTime ? undefined : expires;
}

function parsed(text: string): Partial<Record<string, unknown>> {
  let value: unknown;
  try {
    // JSON is YAML, too.
    value = load(text);
  } catch {
    // The error quotes what it cannot read, which may be a secret.
    value = undefined;
  }
  if (typeof value === "object" && value !== null) return value as Partial<Record<string, unknown>>;
  throw new Error(
    text.trim() === "" ? "has printed nothing" : "has printed what is no ExecCredential in JSON or YAML",
  );
}

/** Here, where the plugin can be named: a connection would only say that TLS has failed. */
function checkPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(
      `has answered with a client certificate and key that cannot be used: ${(error as Error).message}`,
    );
  }
}

function shown(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value).slice(0, 100);
}

/** `Date.parse` takes more: dates without a time, times without a zone (which are local), the 30th of February. */
const format =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Milliseconds since the epoch; NaN for what is no RFC 3339 time as Go reads it (time.Parse with time.RFC3339). */
export function parseRfc3339(text: string): number {
  const [, day] = format.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const midnight = new Date(day);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isDay ? Date.parse(text) : Number.NaN;
}
