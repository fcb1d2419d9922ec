import type { CredentialSource } from "./credential.ts";
import { CredentialsError } from "./credential.ts";
import { createOidcProvider } from "./oidc.ts";

/** The providers that client-go has removed, and the exec plugins that its errors recommend. */
const successors: Readonly<Record<string, string>> = {
  gcp: "gke-gcloud-auth-plugin (https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke)",
  azure: "kubelogin (https://github.com/Azure/kubelogin)",
};

/**
 * Returns the credentials of `auth-provider` of a user in a kubeconfig. client-go has removed all providers
 * but oidc.
 *
 * @throws CredentialsError when the configuration is incomplete, or the provider is unknown
 */
export function authProvider(user: string, provider: unknown): CredentialSource {
  const { name, config } = (provider ?? {}) as { name?: unknown; config?: unknown };
  if (name === "oidc") return createOidcProvider(user, (config ?? {}) as Readonly<Record<string, unknown>>);
  const of = `of the kubeconfig's user ${JSON.stringify(user)}`;
  const successor =
    typeof name === "string" && Object.hasOwn(successors, name) ? successors[name] : undefined;
  if (successor) {
    throw new CredentialsError(
      `the ${name} auth plugin ${of} has been removed: use the exec plugin ${successor} instead`,
    );
  }
  throw new CredentialsError(
    `no Auth Provider found for name ${JSON.stringify(name ?? "")} ${of}: use oidc, or configure an exec plugin`,
  );
}
