import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";
import { type Family, kindOfAddress } from "./loopback.ts";

type Native = (this: object, ...args: unknown[]) => unknown;
type Natives = Record<string, Native>;

/** Opens this machine's loopback for connections of the Pod's network. */
export interface SocketGuard {
  /** Allows the next connection to this port of 127.0.0.1. */
  admit(port: number): void;
}

/**
 * Closes this machine's loopback and its Unix sockets. The checks are where Node passes an address to the
 * operating system, below every module that opens a connection. There, an address has only one spelling left.
 *
 * The program can replace any function of JavaScript later, so the checks call none that it can reach.
 *
 * @param open ports of 127.0.0.1 that are always open: the API server's
 */
export function guardSockets(open: readonly number[]): SocketGuard {
  const always: Record<number, true> = Object.assign(
    Object.create(null),
    ...open.map((port) => ({ [port]: true })),
  );
  const admitted: Record<number, true> = Object.create(null);
  /** This process's bound UDP handles, by address and port. */
  const own: Record<string, object> = Object.create(null);
  // An address that cannot be parsed counts as this machine's.
  const isLoopback = (address: string, family: Family) => kindOfAddress(address, family) !== "other";

  const tcp = prototypeOf(tcpHandle());
  for (const [name, family] of [
    ["connect", "ipv4"],
    ["connect6", "ipv6"],
  ] as const) {
    guard(tcp, name, (call, handle, args) => {
      const [request, address, port] = args;
      if (typeof address !== "string" || typeof port !== "number") return codes.invalid;
      if (isLoopback(address, family)) {
        if (address !== "127.0.0.1") return codes.refused;
        if (!always[port] && !admitted[port]) return codes.refused;
        delete admitted[port];
      }
      return call(handle, [request, address, port]);
    });
  }
  // A server belongs to the Pod if it listens on a loopback address. On any other address, the network could
  // reach it.
  const getsockname = required(tcp, "getsockname");
  guard(tcp, "listen", (call, handle, args) => {
    const bound: { address?: unknown } = Object.create(null);
    apply(getsockname, handle, [bound]);
    return bound.address === "127.0.0.1" || bound.address === "::1" ? call(handle, args) : codes.denied;
  });

  const pipe = prototypeOf(pipeHandle());
  for (const name of ["connect", "bind", "listen"]) guard(pipe, name, () => codes.denied);

  const udp = prototypeOf(udpHandle());
  const udpName = required(udp, "getsockname");
  /**
   * Returns the address and port of a handle. undefined: the handle is unbound, closed or bound to every
   * address. In the last case, another program may have the port on one address.
   */
  const nameOf = (handle: object): string | undefined => {
    const bound: { address?: unknown; port?: unknown } = Object.create(null);
    if (apply(udpName, handle, [bound]) !== 0) return undefined;
    const { address, port } = bound;
    if (address === "0.0.0.0" || address === "::" || address === "::ffff:0.0.0.0") return undefined;
    return typeof address === "string" && typeof port === "number" ? `${address} ${port}` : undefined;
  };
  // The handle is checked each time, because another program may get the port after it was closed.
  const isOwn = (address: string, port: number): boolean => {
    const name = `${address} ${port}`;
    const handle = own[name];
    if (handle === undefined) return false;
    if (nameOf(handle) === name) return true;
    delete own[name];
    return false;
  };
  for (const [name, family] of [
    ["send", "ipv4"],
    ["send6", "ipv6"],
  ] as const) {
    guard(udp, name, (call, handle, args) => {
      const [request, list, count, port, address, hasCallback] = args;
      // A connected socket passes no address: `connect` has checked it.
      if (typeof port !== "number") return call(handle, args);
      if (typeof address !== "string") return codes.invalid;
      if (isLoopback(address, family) && !isOwn(address, port)) return codes.refused;
      return call(handle, [request, list, count, port, address, hasCallback]);
    });
  }
  for (const [name, family] of [
    ["connect", "ipv4"],
    ["connect6", "ipv6"],
  ] as const) {
    guard(udp, name, (call, handle, [address, port]) => {
      if (typeof address !== "string" || typeof port !== "number") return codes.invalid;
      return isLoopback(address, family) && !isOwn(address, port)
        ? codes.refused
        : call(handle, [address, port]);
    });
  }
  for (const name of ["bind", "bind6"]) {
    guard(udp, name, (call, handle, args) => {
      const result = call(handle, args);
      const bound = nameOf(handle);
      if (bound !== undefined) own[bound] = handle;
      return result;
    });
  }

  // Node itself sends DNS queries to the servers that the program sets.
  guard(prototypeOf(resolverHandle()), "setServers", (call, handle, [servers]) => {
    const checked: unknown[] = [];
    const given = servers as { length: number; [i: number]: { 0: unknown; 1: unknown; 2: unknown } };
    const { length } = given;
    for (let i = 0; i < length; i++) {
      const { 0: family, 1: address, 2: port } = given[i] as { 0: unknown; 1: unknown; 2: unknown };
      if (typeof address !== "string" || isLoopback(address, family === 6 ? "ipv6" : "ipv4"))
        return codes.refusedName;
      defineItem(checked, i, [family, address, port]);
    }
    return call(handle, [checked]);
  });
  return {
    admit(port) {
      admitted[port] = true;
    },
  };
}

const codes = { refused: -111, denied: -13, invalid: -22, refusedName: 11 };

// These copies stay unchanged when the program replaces the originals.
const { apply, defineProperty, getPrototypeOf } = Reflect;
const defineItem = (list: unknown[], i: number, value: unknown) =>
  defineProperty(list, i, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);

/** @throws Error when Node's handle has no such method. The process must not start then */
function required(owner: Natives, name: string): Native {
  const native = owner[name];
  if (typeof native !== "function") throw unguarded(name);
  return native;
}

const unguarded = (what: string) =>
  new Error(
    `cannot guard the network of a container: Node ${process.version} has no ${what}; use another version of Node`,
  );

function guard(
  owner: Natives,
  name: string,
  check: (call: (handle: object, args: unknown[]) => unknown, handle: object, args: unknown[]) => unknown,
): void {
  const native = required(owner, name);
  const call = (handle: object, args: unknown[]) => apply(native, handle, args);
  const value = function (this: object, ...args: unknown[]) {
    return check(call, this, args);
  };
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}

function prototypeOf(handle: object | undefined): Natives {
  if (handle === undefined) throw unguarded("socket handle");
  return getPrototypeOf(handle) as Natives;
}

// Node exposes its handles on the objects that use them, but not their classes.
interface Internals {
  _createServerHandle(address: string, port: number, family: number): object & { close(): void };
}

function tcpHandle(): object {
  const handle = (net as unknown as Internals)._createServerHandle("127.0.0.1", 0, 4);
  handle.close();
  return handle;
}

/** Returns a pipe handle. Node creates it before it finds that the path is not a socket. */
function pipeHandle(): object | undefined {
  const socket = new net.Socket();
  socket.on("error", () => {});
  try {
    socket.connect({ path: "/dev/null" });
  } catch {
    // Only the handle is needed.
  }
  const { _handle } = socket as unknown as { _handle?: object };
  socket.destroy();
  return _handle;
}

function udpHandle(): object | undefined {
  const socket = dgram.createSocket("udp4") as unknown as Record<symbol, { handle?: object } | undefined> &
    dgram.Socket;
  const state = Object.getOwnPropertySymbols(socket).map((symbol) => socket[symbol]);
  const handle = state.find((one) => typeof one === "object" && one !== null && "handle" in one)?.handle;
  socket.close();
  return handle;
}

function resolverHandle(): object | undefined {
  return (new dns.Resolver() as unknown as { _handle?: object })._handle;
}
