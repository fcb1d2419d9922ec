/** A user's exec plugin or auth provider has no credentials to give: a person has to log in, install it, or mend the kubeconfig. */
export class CredentialsError extends Error {
  override readonly name: string = "CredentialsError";
}
