import fc from "fast-check";
import { expect, test } from "vitest";
import {
  equalIgnoringHash,
  hasEqualData,
  revisionData,
  revisionHash,
  templateHash,
  templateOf,
} from "./history.ts";

// As kube-apiserver 1.36.3 stores it. kube-controller-manager 1.36.3 named its revision web-688bf96957.
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

test("computes a revision's hash as Go does", () => {
  expect(revisionHash(revisionData(template), 0)).toBe("688bf96957");
  expect(revisionHash(revisionData(template), 1)).not.toBe("688bf96957");
});

test("restores a template from its revision, whatever the order of its keys", () => {
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

const webTemplate = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "web", image: "web:1" }] },
};

test("a hash is short, uses safe characters, and changes with the template and the collision count", () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.nat(), { nil: undefined }), (image, collisionCount) => {
      const hash = templateHash({ spec: { containers: [{ name: "web", image }] } }, collisionCount);
      expect(hash).toMatch(/^[456789bcdf]{1,10}$/);
    }),
  );
  expect(templateHash(webTemplate, 1)).not.toBe(templateHash(webTemplate));
  expect(templateHash({ ...webTemplate, spec: { containers: [] } })).not.toBe(templateHash(webTemplate));
});

test("ignores nulls and the order of keys", () => {
  const reordered = {
    spec: { containers: [{ image: "web:1", name: "web" }] },
    metadata: webTemplate.metadata,
  };
  expect(templateHash(reordered)).toBe(templateHash(webTemplate));
  const withNull = { ...webTemplate, metadata: { ...webTemplate.metadata, creationTimestamp: null } };
  expect(equalIgnoringHash(withNull as unknown as typeof webTemplate, webTemplate)).toBe(true);
});

test("ignores only the hash label when it compares templates", () => {
  const labelled = { ...webTemplate, metadata: { labels: { app: "web", "pod-template-hash": "abc" } } };
  expect(equalIgnoringHash(labelled, webTemplate)).toBe(true);
  const other = { ...webTemplate, metadata: { labels: { app: "web", tier: "front" } } };
  expect(equalIgnoringHash(other, webTemplate)).toBe(false);
});
