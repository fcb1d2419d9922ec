/** What a run of the command needs of the world. */
export interface Surroundings {
  /** The project's folder, absolute. */
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Asks for what flags did not say; undefined without a terminal. */
  readonly prompts?: Prompts;
  /** Says where helm is: HELM, PATH; helm sees all of it. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The repository that this command is part of, where its packages are taken from until they are published. */
  readonly checkout?: string;
}

/** Each answer is checked before it is taken; `check` throws with what is wrong. */
export interface Prompts {
  /** @throws CommandError when the person gives up */
  text(message: string, check: (answer: string) => unknown, example: string): Promise<string>;
  confirm(message: string): Promise<boolean>;
}
