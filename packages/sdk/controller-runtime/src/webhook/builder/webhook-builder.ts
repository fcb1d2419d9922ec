import type { KubeObject, Resource } from "@operator-path/client";
import type { Manager } from "../../manager/manager.ts";
import { createPrometheusMetrics } from "../../metrics/prometheus-metrics.ts";
import { admissionWebhook } from "../admission/admission-webhook.ts";
import { type CustomDefaulter, customDefaulter } from "../admission/custom-defaulter.ts";
import { type CustomValidator, customValidator } from "../admission/custom-validator.ts";
import { conversionWebhook } from "../conversion/conversion-webhook.ts";
import type { Converter } from "../conversion/converter.ts";
import { checkCustomPath, convertPath, mutatePath, validatePath } from "./paths.ts";

/** What of a manager the builder needs. */
export type WebhookManager = Pick<Manager, "webhookServer" | "log" | "metrics">;

/** Registers the webhooks of one kind (Go: builder.WebhookBuilder). Nothing happens before `complete`. */
export interface WebhookBuilder<T extends KubeObject> {
  /** At /mutate-<group>-<version>-<kind>, or `path`. */
  withDefaulter(defaulter: CustomDefaulter<T>, options?: { path?: string }): WebhookBuilder<T>;
  /** At /validate-<group>-<version>-<kind>, or `path`. */
  withValidator(validator: CustomValidator<T>, options?: { path?: string }): WebhookBuilder<T>;
  /** At /convert, with those of other kinds. */
  withConverter(converter: Converter): WebhookBuilder<T>;
  /** @throws Error when there is nothing to register, or a path is taken */
  complete(): void;
}

/** Go: ctrl.NewWebhookManagedBy. */
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
          `the converter is for ${converter.kind} of ${converter.group}, and not for ${resource.kind} of ${resource.group}`,
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
          `there is no webhook for ${resource.kind}: give withDefaulter(…), withValidator(…) or withConverter(…)`,
        );
      }
      for (const each of registrations) each();
    },
  };
  return builder;
}
