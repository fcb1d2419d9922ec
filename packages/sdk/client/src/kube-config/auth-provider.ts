import type { CredentialSource } from "./credential.ts";
import { CredentialsError } from "./credential.ts";
import { createOidcProvider } from "./oidc.ts";

/** Those that client-go has removed, and the exec plugins that its errors name. */
const successors: Readonly<Record<string, string>> = {
  gcp: "gke-gcloud-auth-plugin (https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke)",
  azure: "kubelogin (https://github.com/Azure/kubelogin)",
};

/**
 * `auth-provider` of a user in a kubeconfig: oidc alone is left of those that client-go had.
 *
 * @throws CredentialsError for what it lacks, and for others
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
    `no Auth Provider found for name ${JSON.stringify(name ?? "")} ${of}: there is oidc; otherwise give the user an exec plugin`,
  );
}
