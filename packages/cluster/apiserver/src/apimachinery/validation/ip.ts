import { isIP } from "node:net";
import type { StatusCause } from "../errors.ts";
import { invalid } from "./cause.ts";

/** An IP address, of either family. */
export function validateIp(value: string, path: string): StatusCause[] {
  if (isIP(value) !== 0) return [];
  return [invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** `10.9.8.0/24`. */
export function validateCidr(value: string, path: string): StatusCause[] {
  const [address = "", length = ""] = value.split("/");
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  if (family !== 0 && /^\d+$/.test(length) && Number(length) <= bits) return [];
  return [invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** An address to which traffic can be sent from elsewhere (ValidateEndpointIP). */
export function validateEndpointIp(value: string, path: string): StatusCause[] {
  const causes = validateIp(value, path);
  if (causes.length > 0) return causes;
  const detail = unreachable(value);
  return detail === undefined ? [] : [invalid(path, value, detail)];
}

function unreachable(address: string): string | undefined {
  if (address === "0.0.0.0" || address === "::") return "may not be unspecified (0.0.0.0 or ::)";
  if (address.startsWith("127.") || address === "::1") {
    return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
  }
  if (address.startsWith("169.254.") || /^fe[89ab]/i.test(address)) {
    return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
  }
  if (address.startsWith("224.0.0."))
    return "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
  return undefined;
}
