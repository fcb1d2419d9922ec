import fc from "fast-check";
import { expect, it } from "vitest";
import { helmArguments } from "./helm-arguments.ts";

const map = (line: string) => helmArguments(line.split(" "), (path) => `<${path}>`).join(" ");

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
  ["template web c -f/tmp/b.yaml", "template web c -f</tmp/b.yaml>"],
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

it("keeps every value as it is, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom("--set", "--set-string", "--description", "-n"),
      (text, flag) => {
        const words = ["install", "web", "c", flag, text, `--set-json=${text || "x"}`];
        expect(helmArguments(words, () => "mapped")).toEqual(words);
      },
    ),
  );
});
