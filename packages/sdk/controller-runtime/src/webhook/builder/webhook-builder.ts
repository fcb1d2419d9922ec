import type { KubeObject, Resource } from "@operator-path/client";
import type { Manager } from "../../manager/manager.ts";
import { createPrometheusMetrics } from "../../metrics/prometheus-metrics.ts";
import { admissionWebhook } from "../admission/admission-webhook.ts";
import { type CustomDefaulter, customDefaulter } from "../admission/custom-defaulter.ts";
import { type CustomValidator, customValidator } from "../admission/custom-validator.ts";
import { conversionWebhook } from "../conversion/conversion-webhook.ts";
import type { Converter } from "../conversion/converter.ts";
import { checkCustomPath, convertPath, mutatePath, validatePath } from "./paths.ts";

/** The part of a manager that the builder uses. */
export type WebhookManager = Pick<Manager, "webhookServer" | "log" | "metrics">;

/** Registers the webhooks of one kind. Nothing happens before `complete`. Go: builder.WebhookBuilder. */
export interface WebhookBuilder<T extends KubeObject> {
  /** Adds a defaulter at `path`. Default: /mutate-<group>-<version>-<kind>. */
  withDefaulter(defaulter: CustomDefaulter<T>, options?: { path?: string }): WebhookBuilder<T>;
  /** Adds a validator at `path`. Default: /validate-<group>-<version>-<kind>. */
  withValidator(validator: CustomValidator<T>, options?: { path?: string }): WebhookBuilder<T>;
  /** Adds a converter at /convert, which all kinds share. */
  withConverter(converter: Converter): WebhookBuilder<T>;
  /**
   * Registers the webhooks.
   *
   * @throws Error when there is nothing to register, or a path is taken
   */
  complete(): void;
}

/** Returns a builder for webhooks on this manager's server. Go: ctrl.NewWebhookManagedBy. */
export function newWebhookManagedBy(manager: WebhookManager): {
  for<T extends KubeObject>(resource: Resource<T>): WebhookBuilder<T>;
} {
  return { for: (resource) => createBuilder(manager, resource) };
}

function createBuilder<T extends KubeObject>(
  manager: WebhookManager,
  resource: Resource<T>,
): WebhookBuilder<T> {
  const { log } = manager;
  const metrics = createPrometheusMetrics(manager.metrics);
  const registrations: (() => void)[] = [];
  const register = (path: string, handler: Parameters<typeof admissionWebhook>[0]) =>
    registrations.push(() =>
      manager.webhookServer.register(
        path,
        admissionWebhook(handler, {
          log: log.child({ webhookGroup: resource.group, webhookKind: resource.kind }),
          metrics,
        }),
      ),
    );
  const builder: WebhookBuilder<T> = {
    withDefaulter(defaulter, { path } = {}) {
      const at = path === undefined ? mutatePath(resource) : checkCustomPath(path);
      register(at, customDefaulter(defaulter, { resource }));
      return builder;
    },
    withValidator(validator, { path } = {}) {
      const at = path === undefined ? validatePath(resource) : checkCustomPath(path);
      register(at, customValidator(validator, { resource }));
      return builder;
    },
    withConverter(converter) {
      if (converter.group !== resource.group || converter.kind !== resource.kind) {
        throw new TypeError(
          `the converter is for ${converter.kind} of ${converter.group}, not for ${resource.kind} of ${resource.group}`,
        );
      }
      registrations.push(() => {
        const { webhookServer: server } = manager;
        server.converters.register(converter);
        if (server.registered(convertPath)) return;
        server.register(convertPath, conversionWebhook(server.converters, { log, metrics }));
      });
      return builder;
    },
    complete() {
      if (registrations.length === 0) {
        throw new Error(
          `there is no webhook for ${resource.kind}: call withDefaulter(…), withValidator(…) or withConverter(…)`,
        );
      }
      for (const each of registrations) each();
    },
  };
  return builder;
}
