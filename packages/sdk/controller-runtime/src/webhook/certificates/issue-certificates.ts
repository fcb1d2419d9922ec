import { ApiError, type Clock } from "@operator-path/client";
import type { Logger } from "../../log/logger.ts";
import type { CertificateSource, KeyPair } from "../server/certificate-source.ts";
import { type InjectionTargets, injectBundle } from "./inject.ts";
import { lifetimesOf } from "./lifetimes.ts";
import { type CertificateClients, createCertificateSecret, UnusableSecretError } from "./secret.ts";
import { advance, bundleOf, type CertificateLifetimes, type CertificateState } from "./state.ts";

export interface IssueCertificatesOptions {
  /** Shared by all replicas; made when it is not there. */
  secret: { namespace: string; name: string };
  /** In front of the webhook server. Its namespace is the Secret's unless it says so. */
  service?: { namespace?: string; name: string } | undefined;
  /** Further DNS names and addresses of the certificate: for webhooks that are called by URL. */
  names?: readonly string[] | undefined;
  /** Where the API server is told whom to trust. */
  inject?: InjectionTargets | undefined;
  /** Milliseconds between looks at the Secret, and at what `inject` names. Default 10,000. */
  interval?: number | undefined;
  /**
   * Default: a serving certificate 90 days and renewed 30 days before its end; an authority five years, its successor made
   * known a year before that, and used an hour later. Of shorter ones: renewed when a third, or a fifth, is left.
   */
  lifetimes?: Partial<CertificateLifetimes> | undefined;
}

export interface IssueCertificatesContext extends CertificateClients {
  clock: Clock;
  log: Logger;
}

/** What may be done, and how often, before somebody else's writes are given way to until the next look. */
const attempts = 5;

/**
 * Certificates without cert-manager: an authority and a serving certificate in a Secret, renewed in time, and the authority
 * where the API server looks for it. All replicas do this at once; whoever writes first wins, the others take what is there.
 *
 * The operator needs `get`, `create` and `update` on Secrets of that namespace, `get` and `patch` on what is injected into.
 *
 * @throws TypeError when there is no name to issue a certificate for; RangeError when lifetimes do not fit together
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
  /** The bundle that everything has. */
  let injected: string | undefined;
  let served: KeyPair | undefined;
  let running: Promise<void> | undefined;

  async function shareState(signal: AbortSignal): Promise<CertificateState> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = await stored.load(signal);
      if (found.damage !== undefined) {
        log.warn(
          { ...options.secret, damage: found.damage },
          "The certificates of the webhooks are made again",
        );
      }
      // Deleted or damaged by somebody: what is served, and trusted, goes on.
      const before = found.state ?? state;
      const isInjected = before !== undefined && injected === bundleOf(before);
      const next = advance(before, { now: clock.now(), names, lifetimes, injected: isInjected });
      if (next === found.state) return next;
      if (await stored.save(next, found.secret)) {
        log.info(options.secret, "The certificates of the webhooks were written");
        return next;
      }
    }
    throw new Error("the Secret of the webhooks' certificates is written by others all the time");
  }

  /** Shares, serves, injects; in this order, so that whoever is trusted answers. */
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
    // What is served stays trusted, whatever is with the Secret.
    if (failure) throw failure.error;
  }

  async function keepLooking(signal: AbortSignal, onCertificate: (pair: KeyPair) => void): Promise<void> {
    for (;;) {
      await clock.sleep(interval, signal);
      try {
        await look(signal, onCertificate);
      } catch (error) {
        signal.throwIfAborted();
        log.error({ error }, "The certificates of the webhooks cannot be looked after: it is tried again");
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
          log.error({ error }, "There is no certificate for the webhooks yet: it is tried again");
          if (!served) await clock.sleep(wait, signal);
        }
      }
      // Rejects when the signal aborts, and only then.
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
      "there is no name to issue a certificate for: give issueCertificates.service, or names where webhooks are called by URL",
    );
  }
  return all;
}

/** Will not be better in a second. */
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
      : "the operator needs get, create and update on secrets there";
  return new Error(
    `the certificate of the webhooks cannot be shared in the Secret ${namespace}/${name}: ${error.message}; ${advice}`,
    { cause: error },
  );
}
