import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@operator-path/client";
import type { MetricsProvider } from "@operator-path/informers";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** Configures a webhook server. Go: webhook.Options. */
export interface WebhookServerOptions {
  /** Address to listen on. Default: all interfaces. */
  host?: string | undefined;
  /** Default 9443. 0 selects a free port. */
  port?: number | undefined;
  /**
   * The folder with the certificate files. Default: k8s-webhook-server/serving-certs in the folder for
   * temporary files.
   */
  certDir?: string | undefined;
  /** Default "tls.crt". */
  certName?: string | undefined;
  /** Default "tls.key". */
  keyName?: string | undefined;
  /**
   * A file in `certDir`. Only clients with a certificate of this authority are answered. Default: any client.
   */
  clientCAName?: string | undefined;
  /** Milliseconds between checks of the files, in addition to watching the folder. Default 10,000. */
  certificateInterval?: number | undefined;
  /** Replaces the files. */
  certificates?: CertificateSource | undefined;
  /** Milliseconds that requests have to finish at shutdown. Default 60,000. */
  shutdownTimeout?: number | undefined;
  log?: Logger | undefined;
  /** Default: no metrics. `createPrometheusMetrics(registry)` collects them. */
  metrics?: MetricsProvider | undefined;
  clock?: Clock | undefined;
}

/** The folder where kubebuilder's projects mount the Secret with the certificate. */
export function defaultCertDir(): string {
  return join(tmpdir(), "k8s-webhook-server", "serving-certs");
}
