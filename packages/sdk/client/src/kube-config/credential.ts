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

/** What a {@link CredentialsError} is made of. */
export interface CredentialsErrorOptions extends ErrorOptions {
  /** Default "". */
  readonly stderr?: string;
}

/** A user's exec plugin or auth provider has no credentials to give: a person has to log in, install it, or mend the kubeconfig. */
export class CredentialsError extends Error {
  override readonly name: string = "CredentialsError";
  readonly #stderr: string;

  constructor(message: string, { stderr = "", ...options }: CredentialsErrorOptions = {}) {
    super(message, options);
    this.#stderr = stderr;
  }

  /**
   * The end of what a plugin that failed has said, at most 1,000 characters without escape sequences. Not for a log, an Event or
   * a status, whose readers are many: it may hold a token. So it is in no message, and neither JSON nor `console` shows it.
   */
  get stderr(): string {
    return this.#stderr;
  }
}
