export interface LogFunction {
  (fields: object, message?: string): void;
  (message: string): void;
}

/** Structured logs: what a pino logger is, as far as this library needs it. An Error goes into the field `error`. */
export interface Logger {
  readonly debug: LogFunction;
  readonly info: LogFunction;
  readonly warn: LogFunction;
  readonly error: LogFunction;
  /** Saves the making of lines that nobody would see. Without it, all levels count as enabled. */
  isLevelEnabled?(level: string): boolean;
  /** A logger that says these fields with each line. `logger` is its name: "controllers.Memcached". */
  child(fields: Record<string, unknown>): Logger;
}
