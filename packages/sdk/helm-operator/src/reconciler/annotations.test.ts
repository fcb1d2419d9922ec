import { expect, test } from "vitest";
import { annotatedOptions, helmAnnotations, pausedByAnnotation } from "./annotations.ts";

const annotated = (annotations: Record<string, string>) => ({ metadata: { annotations } });

test("each annotation sets an option of its own operation", () => {
  const annotations = Object.fromEntries(Object.values(helmAnnotations).map((name) => [name, "true"]));
  expect(annotatedOptions(annotated(annotations))).toEqual({
    install: { disableHooks: true, description: "true" },
    upgrade: { disableHooks: true, description: "true", force: true },
    uninstall: { disableHooks: true, description: "true" },
  });
});

test.each(["false", "", "yes", "0"])(
  "does not read %j as true, and sets nothing without annotations",
  (value) => {
    const none = { install: {}, upgrade: {}, uninstall: {} };
    expect(annotatedOptions({})).toEqual(none);
    expect(annotatedOptions(annotated({ [helmAnnotations.upgradeForce]: value }))).toEqual(none);
    expect(pausedByAnnotation("paused")(annotated({ paused: value }))).toBe(false);
  },
);

test("accepts other names for annotations", () => {
  const names = { ...helmAnnotations, upgradeForce: "example.com/force" };
  expect(annotatedOptions(annotated({ "example.com/force": "True" }), names).upgrade).toEqual({
    force: true,
  });
  expect(pausedByAnnotation("example.com/paused")(annotated({ "example.com/paused": "true" }))).toBe(true);
});
