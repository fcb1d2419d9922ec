/** What a plugin or a provider authenticates with: a token, or a client certificate with its key, or both. */
export interface Credential {
  readonly token?: string;
  /** PEM, its chain included. */
  readonly cert?: string;
  /** PEM. */
  readonly key?: string;
}

/** Where the credentials of a user come from that the kubeconfig itself does not hold. */
export interface CredentialSource {
  /**
   * Without a wait when one is at hand. What is started for it is ended when nobody waits for it any more.
   *
   * @throws CredentialsError that names the user, and the way out
   */
  get(signal?: AbortSignal): Credential | Promise<Credential>;
  /** The server has refused it (401): it is not handed out again. */
  refuse(credential: Credential): void;
}
