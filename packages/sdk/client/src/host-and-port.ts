const ports: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Without the brackets and the final dot that a URL may have. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Its scheme's where it says none: of SOCKS, whichever it is, 1080. */
export function portOf({ port, protocol }: URL): string {
  return port || (ports[protocol] ?? "1080");
}
