import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { helmArguments } from "./helm-arguments.ts";
import { Refusal } from "./tool-paths.ts";

const parse = (words: readonly string[]) =>
  helmArguments(
    words,
    (path) => `<${path}>`,
    (path) => path === "charts/web",
  );
const map = (line: string) => parse(line.split(" ")).args.join(" ");

it.each([
  ["install web /app/charts/web", "install web </app/charts/web>"],
  ["install web ./web", "install web <./web>"],
  ["install web stable/web", "install web stable/web"],
  ["install web charts/../../web", "install web <charts/../../web>"],
  ["install web oci://host/web", "install web oci://host/web"],
  ["upgrade --install -- web /app/web", "upgrade --install -- web </app/web>"],
  ["template web c --values=/tmp/a.yaml", "template web c --values=</tmp/a.yaml>"],
  ["template web c --values /tmp/a.yaml", "template web c --values </tmp/a.yaml>"],
  ["template web c -f a.yaml,/tmp/b.yaml", "template web c -f <a.yaml>,</tmp/b.yaml>"],
  ["template web c -f=/tmp/b.yaml", "template web c -f=</tmp/b.yaml>"],
  ["install web charts/web", "install web <charts/web>"],
  ["repo index . --merge /tmp/index.yaml", "repo index <.> --merge </tmp/index.yaml>"],
  ["list -d -f /web", "list -d -f /web"],
  ["-n shop list -A", "-n shop list -A"],
  ["install -g file:///etc/web", "install -g file:///etc/web"],
  ["template web c --values=-", "template web c --values=-"],
  ["template web c -f -", "template web c -f -"],
  ["template web c -f https://host/v.yaml", "template web c -f https://host/v.yaml"],
  ["template web c --set-file a=/tmp/a,b.c=d", "template web c --set-file a=</tmp/a>,b.c=<d>"],
  ["template web c --set-file=a=/tmp/a", "template web c --set-file=a=</tmp/a>"],
  ["template web c --set path=/tmp", "template web c --set path=/tmp"],
  ["template web c --set=path=/tmp", "template web c --set=path=/tmp"],
  ["template web c --description /tmp", "template web c --description /tmp"],
  ["template web c --description=/tmp", "template web c --description=/tmp"],
  ["pull web -d /tmp --untar", "pull web -d </tmp> --untar"],
  ["list --debug /app", "list --debug </app>"],
  ["list --dry-run=server -A -o json", "list --dry-run=server -A -o json"],
])("%s", (line, mapped) => {
  expect(map(line)).toBe(mapped);
});

it("keeps every other value unchanged", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom("--set", "--set-string", "--description", "-n"),
      (text, flag) => {
        const words = ["install", "web", "c", flag, text, `--set-json=${text || "x"}`];
        expect(parse(words).args).toEqual(words);
      },
    ),
  );
});

it("maps every path to the host's", () => {
  const path = fc.constantFrom("/etc/hostname", "../../etc/hostname", "./x");
  const flag = fc.constantFrom(
    "--values",
    "-f",
    "--kube-ca-file",
    "--output-dir",
    "--destination",
    "--keyring",
  );
  fc.assert(
    fc.property(path, flag, fc.boolean(), (file, name, isSplit) => {
      const words = ["template", "web", file, ...(isSplit ? [name, file] : [`${name}=${file}`])];
      expect(parse(words).args.join(" ").split(`<${file}>`)).toHaveLength(3);
    }),
  );
});

it("removes the kubeconfig, and returns a server and a registry configuration", () => {
  const line = "list --kubeconfig /tmp/k --registry-config=/tmp/r --kube-apiserver https://h";
  expect(parse(line.split(" "))).toEqual({
    args: ["list", "--registry-config=</tmp/r>", "--kube-apiserver", "https://h"],
    kubeconfig: "/tmp/k",
    registryConfig: "</tmp/r>",
    hasServer: true,
  });
});

describe("helmArguments rejects", () => {
  it.each([
    ["template web c --post-renderer sh", "the flag --post-renderer is not passed on"],
    ["install web c -gf /etc/hostname", "write short flags one by one"],
    ["install web c -f/etc/hostname", "write short flags one by one"],
    ["plugin install /app/own", 'unknown command "plugin"'],
    ["docs --dir /etc", 'unknown command "docs"'],
    ["-n shop plugin list", 'unknown command "plugin"'],
    ["template web c --set-file a\\=b=/etc/hostname", "may not contain quotes and backslashes"],
    ['template web c --values "/etc/hostname"', "may not contain quotes and backslashes"],
  ])("%s", (line, message) => {
    expect(() => map(line)).toThrow(Refusal);
    expect(() => map(line)).toThrow(message);
  });
});
