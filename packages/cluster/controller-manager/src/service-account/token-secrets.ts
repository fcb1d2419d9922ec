import { isDeepStrictEqual } from "node:util";
import {
  isNotFound,
  type Secret,
  type ServiceAccount,
  secrets as secretResource,
  serviceAccounts,
} from "@operator-path/client";
import { createWorkQueue, keyOf, splitKey, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "../objects.ts";

const type = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";
/** The longest lifetime that a token request accepts. Deleting the Secret invalidates the token earlier. */
const expirationSeconds = 2 ** 32;

/**
 * Adds a token to every Secret of type service-account-token, and deletes the Secret with its account.
 * (Kubernetes: pkg/controller/serviceaccount, tokens_controller.go. Go's controller has the key and signs
 * tokens that never expire. This one requests a token that is bound to the Secret.)
 */
export function createTokenSecretController(context: ControllerContext): Controller {
  const { client, informers, clock, caCertificate } = context;
  const queue = createWorkQueue<string>({ clock });

  const enqueue = (secret: Secret) => {
    if (secret.type === type) queue.add(keyOf(secret));
  };
  informers.secrets.addEventHandler({ added: enqueue, updated: (_old, secret) => enqueue(secret) });
  const enqueueSecretsOf = (account: ServiceAccount) => {
    for (const secret of informers.secrets.lister.namespace(namespaceOf(account)).list()) {
      if (secret.metadata?.annotations?.[nameAnnotation] === nameOf(account)) enqueue(secret);
    }
  };
  informers.serviceAccounts.addEventHandler({
    added: enqueueSecretsOf,
    deleted: (account) => enqueueSecretsOf(unwrapTombstone(account)),
  });
  return runController(context, { name: "serviceaccount-token", queue, workers: 1, reconcile });

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const secret = informers.secrets.lister.namespace(namespace).get(name);
    if (secret?.type !== type || isBeingDeleted(secret)) return;
    const account = await findAccount(secret);
    const inNamespace = client.resource(secretResource).namespace(namespace);
    if (account === undefined) {
      const preconditions = { uid: uidOf(secret) };
      await inNamespace.delete(name, { preconditions }).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      return;
    }
    const annotations = { ...secret.metadata?.annotations, [uidAnnotation]: uidOf(account) };
    const data = {
      ...secret.data,
      ...(caCertificate === undefined ? {} : { "ca.crt": base64(caCertificate) }),
      namespace: base64(namespace),
      token: secret.data?.token ?? base64(await requestToken(secret, account)),
    };
    if (
      isDeepStrictEqual({ ...secret.data }, data) &&
      isDeepStrictEqual({ ...secret.metadata?.annotations }, annotations)
    )
      return;
    await inNamespace.update({ ...secret, metadata: { ...secret.metadata, annotations }, data });
  }

  /** Returns undefined if the account is missing, or was recreated with another uid. */
  async function findAccount(secret: Secret): Promise<ServiceAccount | undefined> {
    const { [nameAnnotation]: name = "", [uidAnnotation]: uid } = secret.metadata?.annotations ?? {};
    const accounts = client.resource(serviceAccounts).namespace(namespaceOf(secret));
    // The Secret may reach the cache before its account. Confirm with the API server before deleting it.
    const account =
      informers.serviceAccounts.lister.namespace(namespaceOf(secret)).get(name) ??
      (await accounts.get(name).catch((error) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      }));
    return account === undefined || (uid !== undefined && uid !== uidOf(account)) ? undefined : account;
  }

  async function requestToken(secret: Secret, account: ServiceAccount): Promise<string> {
    const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: nameOf(secret), uid: uidOf(secret) };
    const { status } = await client
      .resource(serviceAccounts)
      .namespace(namespaceOf(secret))
      .createSubresource<{ status: { token: string } }>(nameOf(account), "token", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { audiences: [], boundObjectRef, expirationSeconds },
      });
    return status.token;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
