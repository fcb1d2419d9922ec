import { join } from "node:path";
import type { Clock } from "@operator-path/client";
import { createAuthority } from "@operator-path/client/certificates";
import type { Registry } from "prom-client";
import type { Logger } from "../log/logger.ts";
import { watchCertificateFiles } from "../webhook/server/certificate-files.ts";
import type { CertificateSource } from "../webhook/server/certificate-source.ts";
import type { MetricsServerOptions } from "./metrics-options.ts";
import { createPrometheusMetrics } from "./prometheus-metrics.ts";

const day = 24 * 3_600_000;
const validity = 90 * day;
/** Milliseconds between checks of the files, as in Go's certwatcher. */
const interval = 10_000;

/** Returns the given source, a watch of the files, or a self-signed source. */
export function certificatesOf(
  { certificates, certDir, certName = "tls.crt", keyName = "tls.key" }: MetricsServerOptions,
  { registry, log, clock }: { registry: Registry; log: Logger; clock: Clock },
): CertificateSource {
  if (certificates) return certificates;
  if (certDir === undefined) return selfIssued(clock);
  return watchCertificateFiles({
    ...{ certificateFile: join(certDir, certName), keyFile: join(certDir, keyName) },
    ...{ interval, log, clock, metrics: createPrometheusMetrics(registry) },
    owner: { server: "metrics server", advice: "leave certDir out to generate one" },
  });
}

/**
 * Issues certificates from an unknown authority. Traffic is encrypted, but Prometheus must skip the
 * verification. Valid for 90 days, replaced after 30.
 */
function selfIssued(clock: Clock): CertificateSource {
  return {
    async start(signal, onCertificate) {
      let timer: unknown;
      function issue(): void {
        const now = clock.now();
        const authority = createAuthority("operator-path metrics", now, validity);
        onCertificate(authority.issueServing(["localhost", "127.0.0.1"], now, validity));
        timer = clock.setTimeout(issue, validity / 3);
      }
      issue();
      signal.addEventListener("abort", () => clock.clearTimeout(timer), { once: true });
    },
  };
}
