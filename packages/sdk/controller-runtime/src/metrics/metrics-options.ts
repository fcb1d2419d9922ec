import type { RequestListener } from "node:http";
import type { CertificateSource } from "../webhook/server/certificate-source.ts";

/** Where metrics are asked for, and by whom (Go: metricsserver.Options with filters.WithAuthenticationAndAuthorization). */
export interface MetricsServerOptions {
  /** ":8443", "127.0.0.1:8443"; port 0 is a free one. "0": nowhere. */
  bindAddress: string;
  /**
   * HTTPS, for those who may get the nonResourceURL /metrics: each request brings a bearer token, which the API server
   * reviews. The operator needs `create` on tokenreviews and subjectaccessreviews for it. Default true. false: HTTP, for
   * everybody who reaches the port.
   */
  secure?: boolean | undefined;
  /** A folder with the certificate of HTTPS, which may change. Default: one is made here that nobody vouches for. */
  certDir?: string | undefined;
  /** Default "tls.crt". */
  certName?: string | undefined;
  /** Default "tls.key". */
  keyName?: string | undefined;
  /** Takes the place of the files. */
  certificates?: CertificateSource | undefined;
  /** By path, guarded as /metrics is, each with its own path as the nonResourceURL. */
  extraHandlers?: Readonly<Record<string, RequestListener>> | undefined;
  /**
   * Profiles for Chrome's DevTools at /debug/pprof/profile (CPU), /debug/pprof/allocs and /debug/pprof/heap (a snapshot of
   * everything that is in memory, Secrets included, for which the process stands still), guarded as /metrics is (Go:
   * Options.PprofBindAddress, which guards nothing). Default false; true needs `secure`.
   */
  profiling?: boolean | undefined;
  /** Metrics of the process as well: CPU, memory, event loop, garbage collection. Default true. */
  processMetrics?: boolean | undefined;
}
