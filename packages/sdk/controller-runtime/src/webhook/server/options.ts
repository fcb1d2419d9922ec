import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** Go: webhook.Options. */
export interface WebhookServerOptions {
  /** Address to listen on. Default: all. */
  host?: string;
  /** Default 9443. 0: a free one. */
  port?: number;
  /** Where the certificate's files are. Default: k8s-webhook-server/serving-certs below the folder for temporary files. */
  certDir?: string;
  /** Default "tls.crt". */
  certName?: string;
  /** Default "tls.key". */
  keyName?: string;
  /** A file in `certDir`: only clients with a certificate of this authority are answered. Default: everybody is. */
  clientCAName?: string;
  /** Milliseconds between looks at the files, beside being told of changes. Default 10,000. */
  certificateInterval?: number;
  /** Takes the place of the files. */
  certificates?: CertificateSource;
  /** Milliseconds that requests have to end in at the end. Default 60,000. */
  shutdownTimeout?: number;
  log?: Logger;
  /** Default: nowhere. `createPrometheusMetrics(registry)` is one. */
  metrics?: MetricsProvider;
  clock?: Clock;
}

/** Where kubebuilder's projects mount the Secret with the certificate. */
export function defaultCertDir(): string {
  return join(tmpdir(), "k8s-webhook-server", "serving-certs");
}
