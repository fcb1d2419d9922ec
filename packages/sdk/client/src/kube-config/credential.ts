/** The credential of a plugin or provider: a token, a client certificate with its key, or both. */
export interface Credential {
  readonly token?: string;
  /** PEM, including the chain. */
  readonly cert?: string;
  /** PEM. */
  readonly key?: string;
}

/** Provides the credentials of a user that the kubeconfig does not contain itself. */
export interface CredentialSource {
  /**
   * Returns a valid credential at once, or starts to fetch one. It cancels the fetch when all its callers
   * have aborted.
   *
   * @throws CredentialsError that names the user and the solution
   */
  get(signal?: AbortSignal): Credential | Promise<Credential>;
  /** Call it when the server rejects a credential (401). `get` does not return it again. */
  refuse(credential: Credential): void;
}

/** The options of {@link CredentialsError}. */
export interface CredentialsErrorOptions extends ErrorOptions {
  /** Default "". */
  readonly stderr?: string;
}

/**
 * A user's exec plugin or auth provider returned no credentials. A person must log in, install the plugin, or
 * correct the kubeconfig.
 */
export class CredentialsError extends Error {
  override readonly name: string = "CredentialsError";
  readonly #stderr: string;

  constructor(message: string, { stderr = "", ...options }: CredentialsErrorOptions = {}) {
    super(message, options);
    this.#stderr = stderr;
  }

  /**
   * The end of the failed plugin's stderr, at most 1,000 characters, without escape sequences. It may contain
   * a token, so do not put it into a log, an Event or a status. For the same reason no message, JSON or
   * `console` output includes it.
   */
  get stderr(): string {
    return this.#stderr;
  }
}
