import net from "node:net";

type Native = (this: object, ...args: unknown[]) => unknown;

/** The family of an address, as in `net.SocketAddress`. */
export type Family = "ipv4" | "ipv6";

// The program can replace any function of JavaScript later. These copies stay unchanged.
const { apply } = Reflect;
const { SocketAddress } = net;
const check = net.BlockList.prototype.check as unknown as Native;

// A block list also matches the IPv6 form of an IPv4 address.
const loopback = new net.BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");
const unspecified = new net.BlockList();
unspecified.addSubnet("0.0.0.0", 8);
unspecified.addAddress("::", "ipv6");

/**
 * Classifies an address. `loopback`: on this machine's loopback interface. `unspecified`: all of this
 * machine's addresses. undefined: the text is not an address of the family. The program cannot change the
 * result.
 */
export function kindOfAddress(
  address: string,
  family: Family,
): "loopback" | "unspecified" | "other" | undefined {
  try {
    const options = { __proto__: null, address, family, port: 0, flowlabel: 0 };
    const parsed = new SocketAddress(options as unknown as net.SocketAddressInitOptions);
    if (apply(check, loopback, [parsed]) !== false) return "loopback";
    return apply(check, unspecified, [parsed]) === false ? "other" : "unspecified";
  } catch {
    return undefined;
  }
}
