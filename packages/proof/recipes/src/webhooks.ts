import {
  field,
  fieldPath,
  type Manager,
  type ManagerWebhookOptions,
  newWebhookManagedBy,
  throwIfInvalid,
} from "@operator-path/controller-runtime";
import { type Site, sites } from "./site.ts";

/** Registers both webhooks of Sites, at the paths that webhooks.yaml names. */
export function setupSiteWebhooks(manager: Manager): void {
  newWebhookManagedBy(manager)
    .for(sites)
    .withDefaulter((site) => {
      if (site.spec) site.spec.replicas ??= 1;
    })
    .withValidator({
      validateCreate: (site) => validate(site),
      validateUpdate(before, site) {
        // Only what changed: a Site that is older than a rule must still lose its finalizer.
        if (before.spec?.host === site.spec?.host) return;
        throwIfInvalid(sites, site, [field.invalid(host, site.spec?.host, "cannot change")]);
      },
    })
    .complete();
  manager.addReadyzCheck("webhook", manager.webhookServer.startedChecker);
}

const host = fieldPath("spec", "host");

/** @throws Invalid, which names the field */
function validate(site: Site): void {
  const isQualified = site.spec?.host.includes(".") ?? false;
  throwIfInvalid(sites, site, isQualified ? [] : [field.invalid(host, site.spec?.host, "needs a domain")]);
}

/**
 * Returns the manager's option `webhookServer`, with certificates that the operator issues, renews and injects.
 *
 * @param namespace the operator's own, where its Service and the Secret are
 */
export function inCluster(namespace: string): ManagerWebhookOptions {
  return {
    issueCertificates: {
      secret: { namespace, name: "site-webhook-certificates" },
      service: { name: "site-webhook" },
      inject: { mutatingWebhookConfigurations: ["sites"], validatingWebhookConfigurations: ["sites"] },
    },
  };
}

/** Returns the same for an operator on your machine, which the API server calls by URL. */
export function onThisMachine(namespace: string, port: number): ManagerWebhookOptions {
  const { issueCertificates } = inCluster(namespace);
  return {
    ...{ host: "127.0.0.1", port },
    issueCertificates: issueCertificates && { ...issueCertificates, names: ["127.0.0.1"] },
  };
}
