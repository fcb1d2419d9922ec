import net from "node:net";

type Native = (this: object, ...args: unknown[]) => unknown;

/** The family of an address, as `net.SocketAddress` calls it. */
export type Family = "ipv4" | "ipv6";

// The program can replace any function of JavaScript after this. Whatever becomes of their prototypes, these stay what
// they are.
const { apply } = Reflect;
const { SocketAddress } = net;
const check = net.BlockList.prototype.check as unknown as Native;

// IPv4 addresses are found in their IPv6 form as well.
const loopback = new net.BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");
const unspecified = new net.BlockList();
unspecified.addSubnet("0.0.0.0", 8);
unspecified.addAddress("::", "ipv6");

/**
 * Returns what an address is to this machine: `loopback`, an address of its loopback interface; `unspecified`, which
 * stands for all of its addresses; `other`; or undefined for text that is not an address of the family. The program
 * cannot change the answer.
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
