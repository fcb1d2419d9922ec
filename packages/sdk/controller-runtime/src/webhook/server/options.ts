import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** Go: webhook.Options. */
export interface WebhookServerOptions {
  /** Address to listen on. Default: all. */
  host?: string | undefined;
  /** Default 9443. 0: a free one. */
  port?: number | undefined;
  /** Where the certificate's files are. Default: k8s-webhook-server/serving-certs below the folder for temporary files. */
  certDir?: string | undefined;
  /** Default "tls.crt". */
  certName?: string | undefined;
  /** Default "tls.key". */
  keyName?: string | undefined;
  /** A file in `certDir`: only clients with a certificate of this authority are answered. Default: everybody is. */
  clientCAName?: string | undefined;
  /** Milliseconds between looks at the files, beside being told of changes. Default 10,000. */
  certificateInterval?: number | undefined;
  /** Takes the place of the files. */
  certificates?: CertificateSource | undefined;
  /** Milliseconds that requests have to end in at the end. Default 60,000. */
  shutdownTimeout?: number | undefined;
  log?: Logger | undefined;
  /** Default: nowhere. `createPrometheusMetrics(registry)` is one. */
  metrics?: MetricsProvider | undefined;
  clock?: Clock | undefined;
}

/** Where kubebuilder's projects mount the Secret with the certificate. */
export function defaultCertDir(): string {
  return join(tmpdir(), "k8s-webhook-server", "serving-certs");
}
