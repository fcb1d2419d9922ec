import { isIPv4, isIPv6 } from "node:net";

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/**
 * The formats that a schema's `format` may require of a text (strfmt of go-openapi, as far as
 * CustomResourceDefinitions may use it). As the API demands, unknown formats are ignored.
 */
const formats: Record<string, (text: string) => boolean> = {
  "date-time": (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(text) && isDate(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDate(text),
  duration: (text) => /^[+-]?(\d+(\.\d*)?|\.\d+)\s*(ns|us|µs|ms|s|m|h|d|w)/.test(text) || text === "0",
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: (text) => text.length <= 255 && new RegExp(`^${label}(\\.${label})*\\.?$`).test(text),
  ipv4: (text) => isIPv4(text),
  ipv6: (text) => isIPv6(text),
  cidr: (text) => {
    const [address = "", bits = "", ...rest] = text.split("/");
    if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
    return isIPv4(address) ? Number(bits) <= 32 : isIPv6(address) && Number(bits) <= 128;
  },
  mac: (text) => /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/.test(text),
  uri: (text) => URL.canParse(text) || /^\/\S*$/.test(text),
  uuid: (text) => uuid.test(text),
  uuid3: (text) => uuid.test(text) && text.replaceAll("-", "")[12] === "3",
  uuid4: (text) => uuid.test(text) && text.replaceAll("-", "")[12] === "4",
  uuid5: (text) => uuid.test(text) && text.replaceAll("-", "")[12] === "5",
  byte: (text) =>
    text !== "" && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
};

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

/** Formats that a real server knows and this one does not check. */
const unchecked = [
  "bsonobjectid",
  "creditcard",
  "hexcolor",
  "isbn",
  "isbn10",
  "isbn13",
  "password",
  "rgbcolor",
  "ssn",
  "datetime",
  "k8s-short-name",
  "k8s-long-name",
];

/** Returns whether a real server knows the format. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(formats, format) || unchecked.includes(format);
}

/** Returns whether a text has a format. True for an unknown format. */
export function hasFormat(text: string, format: string): boolean {
  return !Object.hasOwn(formats, format) || formats[format]?.(text) === true;
}
