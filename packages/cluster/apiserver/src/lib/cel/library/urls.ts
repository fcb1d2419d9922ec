import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, type CelType, listOf, mapOf, opaque, string } from "../types.ts";
import { CelList, CelOpaque, type CelValue, EntryMap } from "../values.ts";

export const urlType: CelType = opaque("kubernetes.URL");

/** An absolute URL or an absolute path. Its parts have the names of Go's net/url. */
interface Parts {
  scheme: string;
  host: string;
  path: string;
  query: string;
}

class CelUrl extends CelOpaque {
  readonly type = urlType;
  readonly text: string;
  readonly parts: Parts;

  constructor(text: string, parts: Parts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }
}

const read = ([text]: readonly CelValue[]) => traversal(sizeOf(text as CelValue));

/** Functions of URLs (urls.go of k8s.io/apiserver/pkg/cel/library). */
export const urls: Library = {
  url: [global([string], urlType, toUrl, read)],
  isURL: [global([string], bool, (text: string) => typeof parse(text) === "object")],
  getScheme: [part(({ scheme }) => scheme)],
  getHost: [part(({ host }) => host)],
  getHostname: [part(({ host }) => splitHost(host).name)],
  getPort: [part(({ host }) => splitHost(host).port)],
  getEscapedPath: [part(({ path }) => escapePath(path))],
  getQuery: [member([urlType], mapOf(string, listOf(string)), ({ parts }: CelUrl) => queryOf(parts.query))],
};

function part(read: (parts: Parts) => string) {
  return member([urlType], string, ({ parts }: CelUrl) => read(parts));
}

function toUrl(text: string): CelUrl {
  const parts = parse(text);
  if (typeof parts === "object") return new CelUrl(text, parts);
  return fail(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${parts}`);
}

/** Parses a URL. @returns its parts, or Go's message about what is wrong */
function parse(text: string): Parts | string {
  if (text === "") return "empty url";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in it
  if (/[\x00-\x1f\x7f]/.test(text)) return "net/url: invalid control character in URL";
  const [, scheme = "", rest = text] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/.exec(text) ?? [];
  if (/^[0-9+.-][^/]*:/.test(text) || text.startsWith(":")) {
    return text.startsWith(":")
      ? "missing protocol scheme"
      : "first path segment in URL cannot contain colon";
  }
  if (!rest.startsWith("/")) return "invalid URI for request";
  const [beforeFragment = ""] = rest.split("#");
  const at = beforeFragment.indexOf("?");
  const beforeQuery = at < 0 ? beforeFragment : beforeFragment.slice(0, at);
  const query = at < 0 ? "" : beforeFragment.slice(at + 1);
  const hasHost = beforeQuery.startsWith("//") && !beforeQuery.startsWith("///");
  const [, authority = "", path = ""] = (hasHost && /^\/\/([^/]*)(.*)$/.exec(beforeQuery)) || [
    "",
    "",
    beforeQuery,
  ];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const wrong = checkHost(host) ?? checkEscapes(path);
  return wrong ?? { scheme: scheme.toLowerCase(), host, path, query };
}

function checkHost(host: string): string | undefined {
  if (/[ <>"\\^`{|}]/.test(host))
    return `invalid character ${JSON.stringify(/[ <>"\\^`{|}]/.exec(host)?.[0])} in host name`;
  if (host.startsWith("[") && !host.includes("]")) return "missing ']' in host";
  const { port, rest } = splitHost(host);
  return rest !== "" && !/^:\d*$/.test(rest)
    ? `invalid port ${JSON.stringify(`:${port}`)} after host`
    : undefined;
}

function checkEscapes(path: string): string | undefined {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(path);
  return bad === null ? undefined : `invalid URL escape ${JSON.stringify(bad[0])}`;
}

function splitHost(host: string): { name: string; port: string; rest: string } {
  const [, name = host, rest = ""] = /^(\[[^\]]*\]|[^:]*)(.*)$/.exec(host) ?? [];
  return { name: name.replace(/^\[|\]$/g, ""), port: rest.replace(/^:/, ""), rest };
}

function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (character) => encodeURIComponent(character));
}

function queryOf(query: string): EntryMap {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value]);
  return new EntryMap([...values].map(([key, list]) => [key, CelList.of(list)] as const));
}
