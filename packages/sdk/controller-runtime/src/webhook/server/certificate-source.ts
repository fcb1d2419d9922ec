/** A certificate, with those of intermediate authorities behind it, and its key. PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Where a server has its certificate from. */
export interface CertificateSource {
  /**
   * Tells of the first certificate before it resolves, and of each later one until the signal aborts; each works: it was
   * parsed, and the key is the certificate's.
   */
  start(signal: AbortSignal, onCertificate: (pair: KeyPair) => void): Promise<void>;
  /** Resolves when nothing is going on any more, after the signal has aborted. */
  ended?(): Promise<void>;
}
