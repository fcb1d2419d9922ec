import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Client,
  type MutatingWebhookConfiguration,
  mutatingWebhookConfigurations,
  type ValidatingWebhookConfiguration,
  validatingWebhookConfigurations,
} from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { writePrivateFile } from "../private-file.ts";
import type { FoundCrd } from "./manifests.ts";
import { type FoundObject, kindOf, readManifests } from "./manifests.ts";

export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/**
 * Where the cluster calls webhooks: for `createManager(cluster.kubeConfig, { webhookServer:
 * cluster.webhookServer })`.
 */
export interface TestWebhookServer {
  readonly host: string;
  /** Was free when the cluster was started. */
  readonly port: number;
  /** Contains tls.crt and tls.key, until the cluster stops. */
  readonly certDir: string;
}

interface ClientConfig {
  service?: { path?: string };
  url?: string;
  caBundle?: string;
}

/** A test's webhooks, called at the test's own manager instead of a Service. */
export interface TestWebhooks {
  readonly server: TestWebhookServer;
  /** Returns the CRDs, with conversion webhooks redirected to the test. */
  redirected(crds: readonly FoundCrd[]): FoundCrd[];
  /** @throws Error with the configuration's origin and the API server's message */
  install(client: Client): Promise<void>;
}

const kinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/**
 * Go: envtest's WebhookInstallOptions.
 *
 * @throws UserError with the file that cannot be read, or has no webhook configuration
 */
export async function prepareWebhooks(
  given: readonly (WebhookConfiguration | string)[],
  undo: AsyncDisposableStack,
): Promise<TestWebhooks> {
  const found = await readManifests<WebhookConfiguration>(given, {
    ...{ option: "webhooks", noun: "MutatingWebhookConfiguration or ValidatingWebhookConfiguration" },
    isWanted: (object): object is WebhookConfiguration => kinds.includes(String(kindOf(object))),
  });
  const host = "127.0.0.1";
  const { certificate, privateKey, caCertificate } = createServingCertificate(
    [host, "localhost"],
    Date.now(),
  );
  const certDir = await mkdtemp(join(tmpdir(), "operator-path-webhooks-"));
  undo.defer(() => rm(certDir, { recursive: true, force: true }));
  await writePrivateFile(join(certDir, "tls.crt"), certificate);
  await writePrivateFile(join(certDir, "tls.key"), privateKey);
  const port = await freePort(host);
  const caBundle = Buffer.from(caCertificate).toString("base64");

  function redirect<C extends ClientConfig>({ service, url, ...rest }: C) {
    const path = service ? (service.path ?? "/") : new URL(url ?? "/", "https://localhost").pathname;
    return { ...rest, url: `https://${host}:${port}${path}`, caBundle };
  }

  return {
    server: { host, port, certDir },
    redirected: (crds) =>
      crds.map(({ object, from }) => {
        const { conversion } = object.spec;
        if (conversion?.strategy !== "Webhook" || !conversion.webhook) return { object, from };
        const clientConfig = redirect(conversion.webhook.clientConfig ?? { service: { path: "/convert" } });
        const webhook = { ...conversion.webhook, clientConfig };
        return {
          from,
          object: { ...object, spec: { ...object.spec, conversion: { ...conversion, webhook } } },
        };
      }),
    async install(client) {
      for (const { object, from } of found) {
        const webhooks = object.webhooks?.map((each) => ({
          ...each,
          clientConfig: redirect(each.clientConfig ?? {}),
        }));
        try {
          await create(client, { ...object, ...(webhooks && { webhooks }) } as WebhookConfiguration);
        } catch (error) {
          throw new Error(`${from}: ${error instanceof Error ? error.message : error}`, { cause: error });
        }
      }
    },
  };
}

async function create(
  client: Client,
  { kind, ...object }: FoundObject<WebhookConfiguration>["object"],
): Promise<void> {
  const isMutating = kind === "MutatingWebhookConfiguration";
  const resource = isMutating ? mutatingWebhookConfigurations : validatingWebhookConfigurations;
  await client.resource<WebhookConfiguration>(resource).create(object as WebhookConfiguration);
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
