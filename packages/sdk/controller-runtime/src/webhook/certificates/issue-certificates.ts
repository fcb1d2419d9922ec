import { ApiError, type Clock } from "@operator-path/client";
import type { KeyPair } from "@operator-path/client/certificates";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource } from "../server/certificate-source.ts";
import { type InjectionTargets, injectBundle } from "./inject.ts";
import { lifetimesOf } from "./lifetimes.ts";
import { type CertificateClients, createCertificateSecret, UnusableSecretError } from "./secret.ts";
import { advance, bundleOf, type CertificateLifetimes, type CertificateState } from "./state.ts";

/** Configures `issueCertificates`. */
export interface IssueCertificatesOptions {
  /** The Secret that all replicas share. Created when missing. */
  secret: { namespace: string; name: string };
  /** The Service in front of the webhook server. Its namespace defaults to the Secret's. */
  service?: { namespace?: string; name: string } | undefined;
  /** More DNS names and addresses for the certificate, for webhooks that are called by URL. */
  names?: readonly string[] | undefined;
  /** The objects whose caBundle receives the authority. */
  inject?: InjectionTargets | undefined;
  /** Milliseconds between checks of the Secret and of the objects in `inject`. Default 10,000. */
  interval?: number | undefined;
  /**
   * Defaults: a serving certificate lasts 90 days and is renewed 30 days before its end. An authority lasts
   * five years, and its successor is published a year before that and used an hour later. Shorter lifetimes
   * are renewed when a third (serving) or a fifth (authority) is left.
   */
  lifetimes?: Partial<CertificateLifetimes> | undefined;
}

/** The clients, the clock and the log of `issueCertificates`. */
export interface IssueCertificatesContext extends CertificateClients {
  clock: Clock;
  log: Logger;
}

/** The number of attempts against concurrent writers before waiting for the next check. */
const attempts = 5;

/**
 * Issues certificates without cert-manager. Stores an authority and a serving certificate in a Secret, renews
 * them in time, and writes the authority where the API server reads it. All replicas do this concurrently:
 * the first write wins, and the others use its result.
 *
 * The operator needs `get`, `create` and `update` on Secrets in that namespace, and `get` and `patch` on the
 * injected objects.
 *
 * @throws TypeError when there is no name to issue a certificate for
 * @throws RangeError when the lifetimes do not fit together
 */
export function issueCertificates(
  options: IssueCertificatesOptions,
  context: IssueCertificatesContext,
): CertificateSource {
  const { clock } = context;
  const { inject = {}, interval = 10_000 } = options;
  const log = context.log.child({ logger: "webhook.certificates" });
  const names = namesOf(options);
  const lifetimes = lifetimesOf(options.lifetimes);
  const stored = createCertificateSecret(context, options.secret);
  let state: CertificateState | undefined;
  /** The bundle that all objects have. */
  let injected: string | undefined;
  let served: KeyPair | undefined;
  let running: Promise<void> | undefined;

  async function shareState(signal: AbortSignal): Promise<CertificateState> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = await stored.load(signal);
      if (found.damage !== undefined) {
        log.warn(
          { ...options.secret, damage: found.damage },
          "The webhook certificates are damaged and will be issued again",
        );
      }
      // If the Secret was deleted or damaged, keep what is served and trusted.
      const before = found.state ?? state;
      const isInjected = before !== undefined && injected === bundleOf(before);
      const next = advance(before, { now: clock.now(), names, lifetimes, injected: isInjected });
      if (next === found.state) return next;
      if (await stored.save(next, found.secret)) {
        log.info(options.secret, "Wrote the webhook certificates");
        return next;
      }
    }
    throw new Error("other writers keep changing the Secret of the webhook certificates");
  }

  /** Shares, serves, then injects, so that the trusted certificate is always served. */
  async function look(signal: AbortSignal, onCertificate: (pair: KeyPair) => void): Promise<void> {
    let failure: { error: unknown } | undefined;
    try {
      state = await shareState(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!state) throw error;
      failure = { error };
    }
    const { serving } = state;
    if (serving.certificate !== served?.certificate) {
      onCertificate(serving);
      served = serving;
    }
    const bundle = bundleOf(state);
    injected = (await injectBundle(context, inject, bundle, log, signal)) ? bundle : undefined;
    // Inject first: what is served stays trusted, whatever happened to the Secret.
    if (failure) throw failure.error;
  }

  async function keepLooking(signal: AbortSignal, onCertificate: (pair: KeyPair) => void): Promise<void> {
    for (;;) {
      await clock.sleep(interval, signal);
      try {
        await look(signal, onCertificate);
      } catch (error) {
        signal.throwIfAborted();
        log.error({ error }, "Cannot check the webhook certificates, will retry");
      }
    }
  }

  return {
    async start(signal, onCertificate) {
      for (let wait = 1_000; !served; wait = Math.min(interval, 2 * wait)) {
        try {
          await look(signal, onCertificate);
        } catch (error) {
          signal.throwIfAborted();
          if (isFinal(error)) throw describe(error, options);
          log.error({ error }, "There is no webhook certificate yet, will retry");
          if (!served) await clock.sleep(wait, signal);
        }
      }
      // Rejects only when the signal aborts.
      running = keepLooking(signal, onCertificate).catch(() => {});
    },
    ended: async () => running,
  };
}

function namesOf({ secret, service, names = [] }: IssueCertificatesOptions): string[] {
  const namespace = service?.namespace ?? secret.namespace;
  const all = [
    ...(service
      ? [`${service.name}.${namespace}.svc`, `${service.name}.${namespace}.svc.cluster.local`]
      : []),
    ...names,
  ];
  if (all.length === 0) {
    throw new TypeError(
      "there is no name to issue a certificate for: set issueCertificates.service, or names for webhooks that are called by URL",
    );
  }
  return all;
}

/** Returns whether a retry would not help. */
function isFinal(error: unknown): boolean {
  if (error instanceof UnusableSecretError) return true;
  return (
    error instanceof ApiError &&
    error.code >= 400 &&
    error.code < 500 &&
    error.code !== 409 &&
    error.code !== 429
  );
}

function describe(error: unknown, { secret }: IssueCertificatesOptions): unknown {
  if (!(error instanceof ApiError)) return error;
  const { namespace, name } = secret;
  const advice =
    error.code === 422
      ? "if it is immutable, delete it"
      : "the operator needs get, create and update on secrets in that namespace";
  return new Error(
    `the webhook certificate cannot be shared in the Secret ${namespace}/${name}: ${error.message}; ${advice}`,
    { cause: error },
  );
}
