import { isIPv4, isIPv6 } from "node:net";
import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, type CelType, int, opaque, string } from "../types.ts";
import { CelOpaque, type CelValue } from "../values.ts";

export const ipType: CelType = opaque("net.IP");
export const cidrType: CelType = opaque("net.CIDR");

/** An address as a number of 32 or 128 bits. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

class CelIp extends CelOpaque {
  readonly type = ipType;
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: CelOpaque): boolean {
    if (!(other instanceof CelIp)) return false;
    return other.address.bits === this.address.bits && other.address.value === this.address.value;
  }
}

class CelCidr extends CelOpaque {
  readonly type = cidrType;
  readonly address: Address;
  readonly length: number;

  constructor(address: Address, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelCidr && formatCidr(other) === formatCidr(this);
  }
}

const read = ([text]: readonly CelValue[]) => traversal(sizeOf(text as CelValue));
const readTwice = ([text]: readonly CelValue[]) => traversal(2 * sizeOf(text as CelValue));

/** Functions of IP addresses and networks (ip.go and cidr.go of k8s.io/apiserver/pkg/cel/library). */
export const addresses: Library = {
  ip: [
    global([string], ipType, (text: string) => new CelIp(parseIp(text)), read),
    member([cidrType], ipType, ({ address }: CelCidr) => new CelIp(address)),
  ],
  isIP: [global([string], bool, (text: string) => isValid(() => parseIp(text)), read)],
  "ip.isCanonical": [global([string], bool, (text: string) => formatIp(parseIp(text)) === text, readTwice)],
  family: [member([ipType], int, ({ address }: CelIp) => (address.bits === 32 ? 4n : 6n))],
  isUnspecified: [test(({ value }) => value === 0n)],
  isLoopback: [
    test((address) => (address.bits === 32 ? within(address, "127.0.0.0", 8) : address.value === 1n)),
  ],
  isLinkLocalMulticast: [
    test((address) =>
      address.bits === 32
        ? within(address, "224.0.0.0", 24)
        : ((address.value >> 112n) & 0xff0fn) === 0xff02n,
    ),
  ],
  isLinkLocalUnicast: [
    test((address) =>
      address.bits === 32 ? within(address, "169.254.0.0", 16) : address.value >> 118n === 0x3fan,
    ),
  ],
  isGlobalUnicast: [test(isGlobalUnicast)],
  cidr: [global([string], cidrType, toCidr, read)],
  isCIDR: [global([string], bool, (text: string) => isValid(() => parseCidr(text)), read)],
  containsIP: [
    member([cidrType, string], bool, (cidr: CelCidr, text: string) => contains(cidr, parseIp(text))),
    member([cidrType, ipType], bool, (cidr: CelCidr, { address }: CelIp) => contains(cidr, address)),
  ],
  containsCIDR: [
    member([cidrType, string], bool, (cidr: CelCidr, text: string) => containsCidr(cidr, parseCidr(text))),
    member([cidrType, cidrType], bool, containsCidr),
  ],
  prefixLength: [member([cidrType], int, ({ length }: CelCidr) => BigInt(length))],
  masked: [
    member(
      [cidrType],
      cidrType,
      (cidr: CelCidr) => new CelCidr(mask(cidr.address, cidr.length), cidr.length),
    ),
  ],
  string: [
    global([ipType], string, ({ address }: CelIp) => formatIp(address)),
    global([cidrType], string, formatCidr),
  ],
};

function test(holds: (address: Address) => boolean) {
  return member([ipType], bool, ({ address }: CelIp) => holds(address));
}

function isValid(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

function parseIp(text: string): Address {
  if (isIPv4(text)) return { bits: 32, value: parseV4(text) };
  if (!isIPv6(text)) {
    const quoted = JSON.stringify(text);
    return fail(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): ${problemOf(text)}`,
    );
  }
  if (text.includes("%")) return fail(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  const value = parseV6(text);
  if (value >> 32n === 0xffffn)
    return fail(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return { bits: 128, value };
}

function problemOf(text: string): string {
  if (text.includes(":")) return "each colon-separated field must have at least one digit";
  if (!text.includes(".")) return "unable to parse IP";
  const fields = text.split(".");
  if (fields.some((field) => /\D/.test(field))) return "unexpected character";
  if (fields.some((field) => Number(field) > 255)) return "IPv4 field has value >255";
  if (fields.some((field) => /^0\d/.test(field))) return "IPv4 field has octet with leading zero";
  return fields.length < 4 ? "IPv4 address too short" : "IPv4 address too long";
}

function parseV4(text: string): bigint {
  return text.split(".").reduce((sum, field) => (sum << 8n) | BigInt(field), 0n);
}

function parseV6(text: string): bigint {
  const plain = text.replace(/\d+\.\d+\.\d+\.\d+$/, (v4) => {
    const value = parseV4(v4);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const fields = [...left, ...new Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return fields.reduce((sum, field) => (sum << 16n) | BigInt(`0x${field}`), 0n);
}

/** Formats an address. RFC 5952: the longest run of zeros is left out. */
function formatIp({ bits, value }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  const fields = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  let best = { start: 0, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && fields[start + length] === 0n) length += 1;
    if (length > best.length) best = { start, length };
  }
  const text = (from: number, to: number) =>
    fields
      .slice(from, to)
      .map((field) => field.toString(16))
      .join(":");
  if (best.length === 1) return text(0, 8);
  return `${text(0, best.start)}::${text(best.start + best.length, 8)}`;
}

function formatCidr({ address, length }: { address: Address; length: number }): string {
  return `${formatIp(address)}/${length}`;
}

/** Parses a network. A real server's message repeats its text as well. */
function toCidr(text: string): CelCidr {
  try {
    return parseCidr(text);
  } catch (error) {
    return fail(`network address parse error during conversion from string: ${(error as Error).message}`);
  }
}

function parseCidr(text: string): CelCidr {
  const at = text.lastIndexOf("/");
  const refuse = (why: string) =>
    fail(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): ${why}`,
    );
  if (at < 0) return refuse("no '/'");
  const [name, bits] = [text.slice(0, at), text.slice(at + 1)];
  if (!isIPv4(name) && !isIPv6(name)) return refuse(`ParseAddr(${JSON.stringify(name)}): ${problemOf(name)}`);
  if (name.includes("%")) return refuse("IPv6 zones cannot be present in a prefix");
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) return refuse(`bad bits after slash: ${JSON.stringify(bits)}`);
  const address: Address = isIPv4(name)
    ? { bits: 32, value: parseV4(name) }
    : { bits: 128, value: parseV6(name) };
  if (Number(bits) > address.bits) return refuse("prefix length out of range");
  if (address.bits === 128 && address.value >> 32n === 0xffffn) {
    return fail(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  }
  return new CelCidr(address, Number(bits));
}

function mask({ bits, value }: Address, length: number): Address {
  const host = BigInt(bits - length);
  return { bits, value: (value >> host) << host };
}

function contains({ address, length }: { address: Address; length: number }, other: Address): boolean {
  if (address.bits !== other.bits) return false;
  return mask(address, length).value === mask(other, length).value;
}

function containsCidr(outer: CelCidr, inner: CelCidr): boolean {
  return outer.length <= inner.length && contains(outer, inner.address);
}

function within(address: Address, network: string, length: number): boolean {
  return contains({ address: { bits: 32, value: parseV4(network) }, length }, address);
}

function isGlobalUnicast(address: Address): boolean {
  const { bits, value } = address;
  if (value === 0n) return false;
  if (bits === 32) {
    const isOther =
      value === 0xffffffffn || within(address, "127.0.0.0", 8) || within(address, "224.0.0.0", 4);
    return !isOther && !within(address, "169.254.0.0", 16);
  }
  return value !== 1n && value >> 120n !== 0xffn && value >> 118n !== 0x3fan;
}
