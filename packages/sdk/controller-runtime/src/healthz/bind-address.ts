export interface BindAddress {
  /** Undefined: on every interface. */
  readonly host?: string;
  readonly port: number;
}

/**
 * ":8081", "127.0.0.1:8081", "[::1]:8081", as Go's net.Listen takes them; port 0 is a free one.
 *
 * @throws TypeError naming the option when it is none
 */
export function parseBindAddress(text: string, option: string): BindAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) {
    throw new TypeError(
      `${option} is ${JSON.stringify(text)}: give ":8081", "127.0.0.1:8081", or "0" for none`,
    );
  }
  const host = bracketed ?? plain;
  return host ? { host, port } : { port };
}
