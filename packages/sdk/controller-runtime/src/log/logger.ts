/** Writes a line with a message, or with fields and a message. */
export interface LogFunction {
  (fields: object, message?: string): void;
  (message: string): void;
}

/**
 * A structured logger: the part of pino's interface that this library uses. An Error goes into the field
 * `error`.
 */
export interface Logger {
  readonly debug: LogFunction;
  readonly info: LogFunction;
  readonly warn: LogFunction;
  readonly error: LogFunction;
  /** Avoids creating lines that would be discarded. Without it, all levels count as enabled. */
  isLevelEnabled?(level: string): boolean;
  /**
   * Returns a logger that adds these fields to each line. The field `logger` is its name:
   * "controllers.Memcached".
   */
  child(fields: Record<string, unknown>): Logger;
}
