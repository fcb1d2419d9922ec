import type { Deployment, ObjectMeta } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import { genericEvent, type ObjectEvent } from "../source/object-event.ts";
import { unparsed } from "../source/testing/events.ts";
import {
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelectorPredicate,
  resourceVersionChanged,
} from "./changed.ts";
import { and, newPredicateFuncs, not, or, type Predicate, predicateFuncs } from "./predicate.ts";

const update = (before: ObjectMeta, after: ObjectMeta): ObjectEvent =>
  unparsed("updated", { resourceVersion: "2", ...after }, { resourceVersion: "1", ...before });

describe.each([
  ["generationChanged", generationChanged, { generation: 1 }, { generation: 2 }],
  ["labelChanged", labelChanged, { labels: { a: "1" } }, { labels: { a: "2" } }],
  ["labelChanged, by one more", labelChanged, {}, { labels: { a: "2" } }],
  ["labelChanged, by another name", labelChanged, { labels: { a: "" } }, { labels: { b: "" } }],
  ["annotationChanged", annotationChanged, { annotations: { a: "1" } }, { annotations: {} }],
])("%s", (_, predicate, before, after) => {
  test("passes only updates that change it, and reads only metadata", () => {
    expect(predicate(update(before, after))).toBe(true);
    expect(predicate(update(after, after))).toBe(false);
    expect(predicate(update({ ...after, finalizers: ["x"] }, structuredClone(after)))).toBe(false);
  });

  test("passes other events", () => {
    expect(predicate(unparsed("added", {}))).toBe(true);
    expect(predicate(unparsed("deleted", {}))).toBe(true);
    expect(predicate(genericEvent({}))).toBe(true);
  });
});

test("resourceVersionChanged drops resyncs", () => {
  expect(resourceVersionChanged(update({ resourceVersion: "7" }, { resourceVersion: "7" }))).toBe(false);
  expect(resourceVersionChanged(update({ resourceVersion: "7" }, { resourceVersion: "8" }))).toBe(true);
});

test("generationChanged drops all updates of a kind without a generation", () => {
  expect(generationChanged(update({}, {}))).toBe(false);
});

test("labelSelectorPredicate accepts the selectors of kubectl and Deployments, and rejects others at once", () => {
  const web = unparsed("added", { labels: { app: "web" } });
  expect(labelSelectorPredicate("app in (web,api)")(web)).toBe(true);
  expect(labelSelectorPredicate({ matchLabels: { app: "api" } })(web)).toBe(false);
  expect(() => labelSelectorPredicate("app in (")).toThrow(SyntaxError);
});

test("predicateFuncs calls the function of the event type, and passes others", () => {
  const scaled = predicateFuncs<Deployment>({
    updated: ({ object, old }) => object.spec?.replicas !== old.spec?.replicas,
  });
  const web = (replicas: number): Deployment => ({ spec: { replicas } as NonNullable<Deployment["spec"]> });
  const change = (old: number, replicas: number): ObjectEvent<Deployment> => ({
    ...genericEvent(web(replicas)),
    ...{ type: "updated", old: web(old), oldMetadata: {}, oldResourceVersion: "1" },
  });
  expect([scaled(change(1, 2)), scaled(change(2, 2)), scaled(genericEvent(web(1)))]).toEqual([
    true,
    false,
    true,
  ]);
  const predicate = predicateFuncs({ deleted: () => false });
  expect(predicate(unparsed("added", {}))).toBe(true);
  expect(predicate(unparsed("deleted", {}))).toBe(false);
});

test("newPredicateFuncs checks the current object", () => {
  const predicate = newPredicateFuncs<{ size: number }>(({ size }) => size > 1);
  expect([predicate(genericEvent({ size: 2 })), predicate(genericEvent({ size: 1 }))]).toEqual([true, false]);
});

test("and, or and not combine predicates and stop early", () => {
  const asked: string[] = [];
  const yes: Predicate = () => asked.push("yes") > 0;
  const no: Predicate = () => asked.push("no") < 0;
  const event = unparsed("added", {});
  const answers = [
    and(yes, no, yes)(event),
    or(no, yes, no)(event),
    not(no)(event),
    not(and(yes, or(no, yes)))(event),
    and()(event),
    or()(event),
  ];
  expect(answers).toEqual([false, true, true, false, true, false]);
  expect(asked).toEqual(["yes", "no", "no", "yes", "no", "yes", "no", "yes"]);
});
