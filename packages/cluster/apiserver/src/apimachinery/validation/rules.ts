import { isIP } from "node:net";
import { isPortName } from "../../lib/formats/names.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import { text } from "../../lib/json/read.ts";
import type { StatusCause } from "../errors.ts";
import { invalid, notSupported, required } from "./cause.ts";

/** Rejects negative numbers. Ignores missing ones. */
export function nonNegative(object: JsonObject, path: string, ...keys: string[]): StatusCause[] {
  return keys.flatMap((key) => {
    const value = object[key];
    if (typeof value !== "number" || value >= 0) return [];
    return [invalid(`${path}.${key}`, value, "must be greater than or equal to 0")];
  });
}

/** Requires one of the values. @param values in a real server's order */
export function oneOf(value: JsonValue | undefined, path: string, values: readonly string[]): StatusCause[] {
  if (value === undefined || value === "") return [required(path)];
  return values.includes(text(value)) ? [] : [notSupported(path, value, values)];
}

/** Requires a text that follows a rule for names. */
export function named(
  value: JsonValue | undefined,
  path: string,
  rule: (name: string) => string[],
): StatusCause[] {
  const name = text(value);
  if (name === "") return [required(path)];
  return rule(name).map((error) => invalid(path, name, error));
}

export function portNumber(value: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof value === "number" && value >= 1 && value <= 65_535) return [];
  return [invalid(path, value ?? 0, "must be between 1 and 65535, inclusive")];
}

/** Validates a port, by number or by name. */
export function portNumberOrName(value: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof value !== "string") return portNumber(value, path);
  return isPortName(value).map((error) => invalid(path, value, error));
}

/** Validates an IntOrString: a number that is not negative, or a percentage. */
export function validateAmount(amount: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof amount === "number") {
    return amount < 0 ? [invalid(path, amount, "must be greater than or equal to 0")] : [];
  }
  if (typeof amount === "string" && /^[0-9]+%$/.test(amount)) return [];
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalid(path, amount, detail)];
}

/** Rejects a percentage above 100. */
export function validateAtMostAll(amount: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof amount !== "string" || Number(amount.replace("%", "")) <= 100) return [];
  return /^[0-9]+%$/.test(amount) ? [invalid(path, amount, "must not be greater than 100%")] : [];
}

export function isNothing(amount: JsonValue | undefined): boolean {
  return amount === 0 || amount === "0%" || amount === "0";
}

/** Validates an IP address of either family. */
export function validateIp(value: string, path: string): StatusCause[] {
  if (isIP(value) !== 0) return [];
  return [invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** Validates a network: `10.9.8.0/24`. */
export function validateCidr(value: string, path: string): StatusCause[] {
  const [address = "", length = ""] = value.split("/");
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  if (family !== 0 && /^\d+$/.test(length) && Number(length) <= bits) return [];
  return [invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** Validates an address that other machines can reach (ValidateEndpointIP). */
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
