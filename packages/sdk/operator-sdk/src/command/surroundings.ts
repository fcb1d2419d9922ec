/** The parts of the process and the machine that a command uses. */
export interface Surroundings {
  /** The project's folder. Absolute. */
  readonly cwd: string;
  /** Writes text to standard output. */
  readonly stdout: (text: string) => void;
  /** Writes text to standard error. */
  readonly stderr: (text: string) => void;
  /** Asks for missing flags. undefined without a terminal. */
  readonly prompts?: Prompts;
  /** The environment of helm. HELM and PATH determine which helm runs. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The checkout that this command belongs to. Its packages go into projects until they are published. */
  readonly checkout?: string;
}

/** Questions to the user. */
export interface Prompts {
  /**
   * Asks for a text.
   *
   * @param check throws if an answer is invalid; the user is then asked again
   * @param example a placeholder
   * @throws CommandError if the user cancels
   */
  text(message: string, check: (answer: string) => unknown, example: string): Promise<string>;
  /**
   * Asks a yes/no question.
   *
   * @throws CommandError if the user cancels
   */
  confirm(message: string): Promise<boolean>;
}
