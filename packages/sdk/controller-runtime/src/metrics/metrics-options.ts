import type { RequestListener } from "node:http";
import type { CertificateSource } from "../webhook/server/certificate-source.ts";

/**
 * Configures the metrics endpoint and who may read it. Go: metricsserver.Options with
 * filters.WithAuthenticationAndAuthorization.
 */
export interface MetricsServerOptions {
  /** ":8443" or "127.0.0.1:8443". Port 0 selects a free one. "0" disables the endpoint. */
  bindAddress: string;
  /**
   * Serves HTTPS to clients that may `get` the nonResourceURL /metrics. Each request needs a bearer token,
   * which the API server reviews. So the operator needs `create` on tokenreviews and subjectaccessreviews.
   * Default true. false: HTTP without authentication.
   */
  secure?: boolean | undefined;
  /** A folder with the TLS certificate, which may change. Default: a self-signed certificate. */
  certDir?: string | undefined;
  /** Default "tls.crt". */
  certName?: string | undefined;
  /** Default "tls.key". */
  keyName?: string | undefined;
  /** Replaces the files. */
  certificates?: CertificateSource | undefined;
  /**
   * Handlers by path. Each path needs the same authorization as /metrics, with itself as the nonResourceURL.
   */
  extraHandlers?: Readonly<Record<string, RequestListener>> | undefined;
  /**
   * Serves profiles for Chrome's DevTools at /debug/pprof/profile (CPU), /debug/pprof/allocs and
   * /debug/pprof/heap, with the same authorization as /metrics. A heap snapshot contains everything in
   * memory, including Secrets, and pauses the process. Default false. true requires `secure`.
   * Go: Options.PprofBindAddress, which has no authorization.
   */
  profiling?: boolean | undefined;
  /** Adds metrics of the process: CPU, memory, event loop, garbage collection. Default true. */
  processMetrics?: boolean | undefined;
}
