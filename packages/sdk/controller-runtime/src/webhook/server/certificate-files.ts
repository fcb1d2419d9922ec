import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@operator-path/client";
import type { KeyPair } from "@operator-path/client/certificates";
import type { MetricsProvider } from "@operator-path/informers";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { checkKeyPair } from "./key-pair.ts";
import { webhookMetrics } from "./webhook-metrics.ts";

export interface CertificateFilesOptions {
  certificateFile: string;
  keyFile: string;
  /** The server, and the alternative to files, for the error message. Default: the webhook server. */
  owner?: { server: string; advice: string };
  /** Milliseconds between checks. */
  interval: number;
  log: Logger;
  clock: Clock;
  metrics: MetricsProvider;
}

const webhooks = {
  server: "webhook server",
  advice: "set issueCertificates to issue certificates",
};

/**
 * Reads certificates from two files and follows their changes. The kubelet updates a mounted Secret by
 * replacing a symbolic link, so this watches the folder and also checks the files regularly. Skips a
 * mismatched pair, which occurs while only one file has been written. Go: certwatcher.CertWatcher.
 */
export function watchCertificateFiles(options: CertificateFilesOptions): CertificateSource {
  const { certificateFile, keyFile, interval, log, clock, metrics, owner = webhooks } = options;
  const reads = metrics.counter(webhookMetrics.certificateReads, {});
  const errors = metrics.counter(webhookMetrics.certificateReadErrors, {});

  async function read(): Promise<KeyPair> {
    reads.inc();
    try {
      const pair = {
        certificate: await readFile(certificateFile, "utf8"),
        privateKey: await readFile(keyFile, "utf8"),
      };
      checkKeyPair(pair, `${certificateFile} and ${keyFile}`);
      return pair;
    } catch (error) {
      errors.inc();
      throw error;
    }
  }

  return {
    async start(signal, onCertificate) {
      let current: KeyPair;
      try {
        current = await read();
      } catch (error) {
        throw new Error(
          `the ${owner.server} has no certificate: ${error instanceof Error ? error.message : error}; mount one at ${dirname(certificateFile)}, set certDir, or ${owner.advice}`,
          { cause: error },
        );
      }
      onCertificate(current);
      let looking = false;
      let again = false;

      async function look(): Promise<void> {
        while (again) {
          again = false;
          const found = await read();
          if (found.certificate === current.certificate && found.privateKey === current.privateKey) continue;
          if (signal.aborted) return;
          // If the server rejects a pair (OpenSSL may require longer keys), each check tries it again and
          // logs the error.
          onCertificate(found);
          current = found;
          log.info({ file: certificateFile }, "Updated current TLS certificate");
        }
      }

      function lookSoon(): void {
        again = true;
        if (looking || signal.aborted) return;
        looking = true;
        look()
          .catch((error: unknown) => log.error({ error }, "failed read certificate"))
          .finally(() => {
            looking = false;
            if (again) lookSoon();
          });
      }

      const watchers = watchFolders([certificateFile, keyFile], lookSoon, log);
      let timer = clock.setTimeout(tick, interval);
      function tick(): void {
        lookSoon();
        timer = clock.setTimeout(tick, interval);
      }
      signal.addEventListener(
        "abort",
        () => {
          clock.clearTimeout(timer);
          for (const watcher of watchers) watcher.close();
        },
        { once: true },
      );
    },
  };
}

function watchFolders(files: readonly string[], onChange: () => void, log: Logger): FSWatcher[] {
  return [...new Set(files.map((file) => dirname(file)))].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, onChange);
      watcher.on("error", (error) => log.warn({ error, folder }, "certificate watch error"));
      return [watcher];
    } catch (error) {
      // For example, the machine has no watches left.
      log.warn({ error, folder }, "the certificate folder cannot be watched, falling back to regular checks");
      return [];
    }
  });
}
