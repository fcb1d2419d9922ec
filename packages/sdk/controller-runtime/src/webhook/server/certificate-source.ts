import type { KeyPair } from "@operator-path/client/certificates";

/** Provides a server's certificates. */
export interface CertificateSource {
  /**
   * Calls `onCertificate` with the first certificate before it resolves, and with each later one until the
   * signal aborts. Each pair has been parsed, and the key matches the certificate.
   */
  start(signal: AbortSignal, onCertificate: (pair: KeyPair) => void): Promise<void>;
  /** Resolves when all work has ended after the signal has aborted. */
  ended?(): Promise<void>;
}
