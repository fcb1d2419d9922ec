// Rules for names, with a real server's messages (k8s.io/apimachinery/pkg/util/validation). Each function
// returns what is wrong. An empty list means that the name is valid.

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

function matches(text: string, pattern: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function tooLong(maximum: number, unit = "characters"): string {
  return `must be no more than ${maximum} ${unit}`;
}

/**
 * Returns `words (e.g. 'a',  or 'b', regex used for validation is '…')`. The two spaces before "or" are in
 * the original.
 */
function regexError(words: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${words} (regex used for validation is '${pattern}')`;
  const list = examples.map((example) => `'${example}', `).join(" or ");
  return `${words} (e.g. ${list}regex used for validation is '${pattern}')`;
}

function check(text: string, maximum: number, pattern: string, words: string, unit?: string): string[] {
  return [
    ...(Buffer.byteLength(text) > maximum ? [tooLong(maximum, unit)] : []),
    ...(matches(text, pattern) ? [] : [words]),
  ];
}

/** Validates the names of most objects. */
export function isDns1123Subdomain(text: string): string[] {
  return checkSubdomain(text, "characters");
}

function checkSubdomain(text: string, unit: "bytes" | "characters"): string[] {
  const words =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return check(text, 253, subdomain, regexError(words, subdomain, "example.com"), unit);
}

/** Validates names of namespaces, containers and volumes. */
export function isDns1123Label(text: string): string[] {
  const words =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  if (!matches(text, label) && matches(text, subdomain)) {
    return check(text, 63, label, "must not contain dots");
  }
  return check(text, 63, label, regexError(words, label, "my-name", "123-abc"));
}

/** Validates names of resources in a CustomResourceDefinition, and formerly of Services. */
export function isDns1035Label(text: string): string[] {
  const words =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return check(text, 63, label1035, regexError(words, label1035, "my-name", "abc-123"));
}

/** Validates keys of labels and annotations, and finalizers: `name` or `prefix/name`. */
export function isQualifiedName(text: string): string[] {
  const words =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  const parts = text.split("/");
  const [prefix, name = ""] = parts.length === 2 ? parts : [undefined, parts[0]];
  if (parts.length > 2) {
    const head = `a valid label key ${regexError(words, qualified, "MyName", "my.name", "123-abc")}`;
    return [`${head} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors: string[] = [];
  if (prefix === "") errors.push("prefix part must be non-empty");
  else if (prefix !== undefined)
    errors.push(...checkSubdomain(prefix, "bytes").map((error) => `prefix part ${error}`));
  if (name === "") errors.push("name part must be non-empty");
  else if (Buffer.byteLength(name) > 63) errors.push(`name part ${tooLong(63, "bytes")}`);
  if (!matches(name, qualified)) {
    errors.push(`name part ${regexError(words, qualified, "MyName", "my.name", "123-abc")}`);
  }
  return errors;
}

export function isLabelValue(text: string): string[] {
  const pattern = `(${qualified})?`;
  const words =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return check(text, 63, pattern, regexError(words, pattern, "MyValue", "my_value", "12345"), "bytes");
}

/** Validates keys of a ConfigMap or a Secret, which become file names. */
export function isConfigMapKey(key: string): string[] {
  const errors = check(
    key,
    253,
    "[-._a-zA-Z0-9]+",
    regexError(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      "[-._a-zA-Z0-9]+",
      "key.name",
      "KEY_NAME",
      "key-name",
    ),
  );
  return [...errors, ...notADirectory(key)];
}

function notADirectory(text: string): string[] {
  if (text === ".") return ["must not be '.'"];
  if (text === "..") return ["must not be '..'"];
  return text.startsWith("..") ? ["must not start with '..'"] : [];
}

/** Validates the name of a variable: printable characters except `=`, the relaxed rule of Kubernetes 1.34. */
export function isEnvironmentVariableName(text: string): string[] {
  if (text === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]*$/.test(text)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Validates the name of a port: an IANA service name. */
export function isPortName(text: string): string[] {
  const errors: string[] = [];
  if (text.length > 15) errors.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(text)) {
    errors.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(text)) errors.push("must contain at least one letter (a-z)");
  if (text.includes("--")) errors.push("must not contain consecutive hyphens");
  if (text.startsWith("-") || text.endsWith("-")) errors.push("must not begin or end with a hyphen");
  return errors;
}

/** Validates names that are a path segment and otherwise free, such as those of RBAC. */
export function isPathSegment(text: string): string[] {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return ["/", "%"]
    .filter((illegal) => text.includes(illegal))
    .map((illegal) => `may not contain '${illegal}'`);
}
