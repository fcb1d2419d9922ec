import { expect, test } from "vitest";
import { annotatedOptions, helmAnnotations, pausedByAnnotation } from "./annotations.ts";

const annotated = (annotations: Record<string, string>) => ({ metadata: { annotations } });

test("each annotation says something of its own operation", () => {
  const annotations = Object.fromEntries(Object.values(helmAnnotations).map((name) => [name, "true"]));
  expect(annotatedOptions(annotated(annotations))).toEqual({
    install: { disableHooks: true, description: "true" },
    upgrade: { disableHooks: true, description: "true", force: true },
    uninstall: { disableHooks: true, description: "true" },
  });
});

test.each(["false", "", "yes", "0"])("%j is not true, and nothing is said by no annotation", (value) => {
  const none = { install: {}, upgrade: {}, uninstall: {} };
  expect(annotatedOptions({})).toEqual(none);
  expect(annotatedOptions(annotated({ [helmAnnotations.upgradeForce]: value }))).toEqual(none);
  expect(pausedByAnnotation("paused")(annotated({ paused: value }))).toBe(false);
});

test("an operator may have names of its own", () => {
  const names = { ...helmAnnotations, upgradeForce: "example.com/force" };
  expect(annotatedOptions(annotated({ "example.com/force": "True" }), names).upgrade).toEqual({
    force: true,
  });
  expect(pausedByAnnotation("example.com/paused")(annotated({ "example.com/paused": "true" }))).toBe(true);
});
