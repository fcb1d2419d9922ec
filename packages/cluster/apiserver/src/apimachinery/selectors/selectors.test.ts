import { describe, expect, test } from "vitest";
import { podKind } from "../../kinds/core/pod/kind.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import { compileFieldSelector } from "../../server/registry/selectable-fields.ts";
import { parseFieldSelector } from "./fields.ts";
import { parseLabelSelector } from "./labels.ts";

describe("label selectors", () => {
  const labels = { app: "payment", tier: "backend", weight: "10", empty: "" };

  test.each([
    ["", true],
    ["app=payment", true],
    ["app==payment,tier!=frontend", true],
    ["app in (order, payment)", true],
    ["app notin (order,payment)", false],
    ["missing notin (a)", true],
    ["missing!=a", true],
    ["app", true],
    ["!app", false],
    ["! missing", true],
    ["weight>9,weight<11", true],
    ["app>1", false],
    ["empty=", true],
    ["empty in (,a)", true],
    ["missing in ()", false],
    ["in in (a)", false],
    ["toString", false],
  ])("%s → %s", (text, expected) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(expected);
  });

  // Messages recorded from kube-apiserver 1.36.3.
  test.each([
    ["a in", "unable to parse requirement: found '' expected: '('"],
    ["a=b=c", "found '=', expected: ',' or 'end of string'"],
    ["a in (x", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [",", "found ',', expected: !, identifier, or 'end of string'"],
    ["(", "found '(', expected: !, identifier, or 'end of string'"],
    ["a=b,", "found '', expected: identifier after ','"],
    [
      "x>a",
      `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])("rejects %s", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe("field selectors", () => {
  const pod: ApiObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", namespace: "n" },
    spec: { nodeName: "node,1" },
    status: { phase: "Running" },
  };
  const pods = { labels: podKind.fieldLabels as NonNullable<typeof podKind.fieldLabels> };
  const matches = (text: string) => compileFieldSelector(parseFieldSelector(text), true, pods).matches(pod);

  test.each([
    ["", true],
    ["metadata.name=a", true],
    ["metadata.name!=a", false],
    ["status.phase==Running,metadata.namespace=n", true],
    ["spec.nodeName=node\\,1", true],
    ["spec.hostNetwork=false", true],
    ["spec.schedulerName=", true],
    ["=", true],
  ])("%s → %s", (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  test.each([
    ["metadata.foo=b", "field label not supported: metadata.foo"],
    ["a", "invalid selector: 'a'; can't understand 'a'"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
    ["metadata.name=a\\x", "invalid field selector: invalid escape sequence: \\x"],
    ["metadata.name=a,b", "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
  ])("rejects %s", (text, message) => {
    expect(() => matches(text)).toThrow(message);
  });

  test("names the two common fields for kinds without their own", () => {
    expect(() => compileFieldSelector(parseFieldSelector("spec.x=1"), true, {})).toThrow(
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test("selects custom resources by the fields in their definition", () => {
    const selector = compileFieldSelector(parseFieldSelector("spec.color=red"), true, {
      paths: ["spec.color"],
    });
    expect(selector.matches({ ...pod, spec: { color: "red" } })).toBe(true);
  });
});
