import type { JsonPatchOperation } from "@operator-path/client";
import {
  customResourceDefinitions,
  isConflict,
  isNotFound,
  type KubeObject,
  mutatingWebhookConfigurations,
  type Resource,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { rawPatch } from "../../client/patch.ts";
import type { Logger } from "../../log/logger.ts";
import type { CertificateClients } from "./secret.ts";

/** Names of objects whose caBundle the authority is written into. */
export interface InjectionTargets {
  mutatingWebhookConfigurations?: readonly string[];
  validatingWebhookConfigurations?: readonly string[];
  /** CRDs with conversion webhooks. */
  customResourceDefinitions?: readonly string[];
}

interface Target {
  resource: Resource;
  name: string;
  /** Returns JSON pointers to the clientConfigs, with their current caBundle. */
  configs(object: KubeObject): { path: string; caBundle: string | undefined }[];
}

/**
 * Writes the bundle into each caBundle that differs, as cert-manager's cainjector does. Skips objects that do
 * not exist.
 *
 * @returns whether all existing objects have the bundle
 */
export async function injectBundle(
  { reader, writer }: CertificateClients,
  targets: InjectionTargets,
  bundle: string,
  log: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  const caBundle = Buffer.from(bundle).toString("base64");
  let complete = true;
  for (const { resource, name, configs } of targetsOf(targets)) {
    const what = { kind: resource.kind, name };
    try {
      const object = await reader.get(resource, { name }, { signal });
      const patches = configs(object)
        .filter((config) => config.caBundle !== caBundle)
        .map(({ path }): JsonPatchOperation => ({ op: "add", path: `${path}/caBundle`, value: caBundle }));
      if (patches.length === 0) continue;
      // Makes the patch fail with a conflict when the object has changed: list indexes may differ by then.
      const { resourceVersion } = object.metadata ?? {};
      const unchanged = { op: "replace", path: "/metadata/resourceVersion", value: resourceVersion } as const;
      await writer.patch(object, rawPatch("json", [unchanged, ...patches]));
      log.info(what, "Injected the webhook CA");
    } catch (error) {
      signal.throwIfAborted();
      if (isNotFound(error)) {
        log.debug(what, "The object to inject the webhook CA into does not exist yet");
        continue;
      }
      complete = false;
      if (!isConflict(error)) {
        log.error({ ...what, error }, "Cannot inject the webhook CA, will retry");
      }
    }
  }
  return complete;
}

function targetsOf(targets: InjectionTargets): Target[] {
  const ofConfiguration = (
    resource: typeof mutatingWebhookConfigurations | typeof validatingWebhookConfigurations,
    names: readonly string[] = [],
  ) =>
    names.map(
      (name): Target => ({
        ...{ resource, name },
        configs: (object) =>
          ((object as WithWebhooks).webhooks ?? []).map(({ clientConfig }, index) => ({
            path: `/webhooks/${index}/clientConfig`,
            caBundle: clientConfig?.caBundle,
          })),
      }),
    );
  return [
    ...ofConfiguration(mutatingWebhookConfigurations, targets.mutatingWebhookConfigurations),
    ...ofConfiguration(validatingWebhookConfigurations, targets.validatingWebhookConfigurations),
    ...(targets.customResourceDefinitions ?? []).map(
      (name): Target => ({
        ...{ resource: customResourceDefinitions, name },
        configs(object) {
          const clientConfig = (object as WithConversion).spec?.conversion?.webhook?.clientConfig;
          const path = "/spec/conversion/webhook/clientConfig";
          return clientConfig ? [{ path, caBundle: clientConfig.caBundle }] : [];
        },
      }),
    ),
  ];
}

interface ClientConfig {
  caBundle?: string;
}
interface WithWebhooks extends KubeObject {
  webhooks?: { clientConfig?: ClientConfig }[];
}
interface WithConversion extends KubeObject {
  spec?: { conversion?: { webhook?: { clientConfig?: ClientConfig } } };
}
