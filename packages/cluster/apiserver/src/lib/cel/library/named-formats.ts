import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from "../../formats/names.ts";
import { hasFormat } from "../../formats/openapi-formats.ts";
import { global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { type CelType, listOf, opaque, optionalOf, string } from "../types.ts";
import { CelList, CelOpaque, CelOptional, type CelValue } from "../values.ts";

export const formatType: CelType = opaque("kubernetes.NamedFormat");

/** A named format of texts. */
class CelFormat extends CelOpaque {
  readonly type = formatType;
  readonly name: string;
  /** Returns what is wrong with a text. An empty list means that it has the format. */
  readonly check: (text: string) => string[];
  /** The length of the pattern, which its cost depends on. */
  readonly length: number;

  constructor(name: string, length: number, check: (text: string) => string[]) {
    super();
    this.name = name;
    this.length = length;
    this.check = check;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }
}

/** Checks the prefix of a generated name, which may end with a hyphen. */
function prefix(check: (text: string) => string[]): (text: string) => string[] {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

function openapi(format: string, detail: string): (text: string) => string[] {
  return (text) => (hasFormat(text, format) ? [] : [detail]);
}

const formats: Record<string, CelFormat> = {
  dns1123Label: new CelFormat("dns1123Label", 30, isDns1123Label),
  dns1123Subdomain: new CelFormat("dns1123Subdomain", 60, isDns1123Subdomain),
  dns1035Label: new CelFormat("dns1035Label", 30, isDns1035Label),
  qualifiedName: new CelFormat("qualifiedName", 60, isQualifiedName),
  dns1123LabelPrefix: new CelFormat("dns1123LabelPrefix", 30, prefix(isDns1123Label)),
  dns1123SubdomainPrefix: new CelFormat("dns1123SubdomainPrefix", 60, prefix(isDns1123Subdomain)),
  dns1035LabelPrefix: new CelFormat("dns1035LabelPrefix", 30, prefix(isDns1035Label)),
  labelValue: new CelFormat("labelValue", 40, isLabelValue),
  uri: new CelFormat("uri", 2083, (text) =>
    hasFormat(text, "uri") ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`],
  ),
  uuid: new CelFormat("uuid", 90, openapi("uuid", "does not match the UUID format")),
  byte: new CelFormat("byte", 84, openapi("byte", "invalid base64")),
  date: new CelFormat("date", 82, openapi("date", "invalid date")),
  datetime: new CelFormat("datetime", 82, openapi("date-time", "invalid datetime")),
};

/**
 * Functions that validate formats: `format.dns1123Label().validate(x)` (format.go of
 * k8s.io/apiserver/pkg/cel/library).
 */
export const namedFormats: Library = {
  ...Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [
      `format.${name}`,
      [global([], formatType, () => format)],
    ]),
  ),
  "format.named": [
    global(
      [string],
      optionalOf(formatType),
      (name: string) => new CelOptional(Object.hasOwn(formats, name) ? formats[name] : undefined),
    ),
  ],
  validate: [
    member(
      [formatType, string],
      optionalOf(listOf(string)),
      (format: CelFormat, text: string) => {
        const wrong = format.check(text);
        return new CelOptional(wrong.length === 0 ? undefined : CelList.of(wrong));
      },
      ([format, text]: readonly CelValue[]) =>
        traversal(1 + sizeOf(text as CelValue)) * Math.ceil((format as CelFormat).length * 0.25),
    ),
  ],
};
