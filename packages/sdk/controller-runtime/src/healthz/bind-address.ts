export interface BindAddress {
  /** undefined: all interfaces. */
  readonly host?: string;
  readonly port: number;
}

/**
 * Parses ":8081", "127.0.0.1:8081" or "[::1]:8081" as Go's net.Listen does. Port 0 selects a free one.
 *
 * @throws TypeError naming the option when the address is invalid
 */
export function parseBindAddress(text: string, option: string): BindAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new TypeError(
      `${option} is ${JSON.stringify(text)}: use ":8081", "127.0.0.1:8081", or "0" to disable it`,
    );
  }
  const host = bracketed ?? plain;
  return host ? { host, port } : { port };
}
