import { expect, test } from "vitest";
import { newReplicaSetAnnotations, revisionAnnotation, revisionHistoryAnnotation } from "./annotations.ts";
import { deploymentOf, replicaSetOf } from "./testing.ts";

const deployment = deploymentOf(1);

test("the Deployment's annotations are copied, but those that are its own", () => {
  const annotations = {
    "kubernetes.io/change-cause": "because",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    [revisionAnnotation]: "7",
  };
  const annotated = { ...deployment, metadata: { ...deployment.metadata, annotations } };
  expect(newReplicaSetAnnotations(annotated, 3)).toEqual({
    "kubernetes.io/change-cause": "because",
    [revisionAnnotation]: "3",
  });
});

test("a rollback gives the old ReplicaSet a new number, and keeps the old one in its history", () => {
  const annotations = { [revisionAnnotation]: "1" };
  const old = { ...replicaSetOf("old", 0), metadata: { name: "old", annotations } };
  const after = newReplicaSetAnnotations(deployment, 3, old);
  expect(after).toEqual({ [revisionAnnotation]: "3", [revisionHistoryAnnotation]: "1" });
  const again = newReplicaSetAnnotations(deployment, 5, {
    ...old,
    metadata: { name: "old", annotations: after },
  });
  expect(again).toEqual({ [revisionAnnotation]: "5", [revisionHistoryAnnotation]: "1,3" });
});

test("a number is never lowered", () => {
  const old = {
    ...replicaSetOf("old", 0),
    metadata: { name: "old", annotations: { [revisionAnnotation]: "9" } },
  };
  expect(newReplicaSetAnnotations(deployment, 2, old)).toEqual({ [revisionAnnotation]: "9" });
});
