import { expect, test } from "vitest";
import { hasEqualData, revisionData, revisionHash, templateOf } from "./revision-data.ts";

// As kube-apiserver 1.36.3 stores it; kube-controller-manager 1.36.3 named its revision web-688bf96957.
const template = {
  metadata: { labels: { app: "sts" }, annotations: { false: "a<b" } },
  spec: {
    containers: [
      {
        name: "c",
        image: "nginx",
        imagePullPolicy: "Always",
        resources: {},
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        volumeMounts: [{ name: "data", mountPath: "/data" }],
      },
    ],
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  },
};

test("a revision's hash is the one that Go computes", () => {
  expect(revisionHash(revisionData(template), 0)).toBe("688bf96957");
  expect(revisionHash(revisionData(template), 1)).not.toBe("688bf96957");
});

test("a template comes back from its revision, whatever the order of its keys", () => {
  const data = revisionData(template);
  const revision = { revision: 1, data: JSON.parse(JSON.stringify(data)) };
  expect(templateOf(revision)).toEqual(template);
  expect(hasEqualData(revision, revisionData({ spec: template.spec, metadata: template.metadata }))).toBe(
    true,
  );
  expect(hasEqualData(revision, revisionData({ metadata: template.metadata }))).toBe(false);
  expect(() => templateOf({ metadata: { name: "odd" }, revision: 1, data: {} })).toThrow(
    /odd holds no Pod template/,
  );
});
