import { expect, test } from "vitest";
import { watchNamespaces } from "./watch-namespace.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["  ", undefined],
  ["shop", ["shop"]],
  ["shop, backoffice,shop", ["shop", "backoffice"]],
])("parses WATCH_NAMESPACE %j", (value, namespaces) => {
  expect(watchNamespaces({ WATCH_NAMESPACE: value })).toEqual(namespaces);
});

test.each(["shop,", "Shop", "a b", "../x"])("rejects %j", (value) => {
  expect(() => watchNamespaces({ WATCH_NAMESPACE: value })).toThrow(
    /WATCH_NAMESPACE is .* is not a valid namespace name/,
  );
});
