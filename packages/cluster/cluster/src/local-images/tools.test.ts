// An image that has helm in it: a Pod of it starts this machine's, as its ServiceAccount, and starts nothing else.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { realControlPlane } from "../testing/real-control-plane.ts";

// Each command is a process of its own, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Runs what a request asks for, as a program in the container does. */
const runner = `
import http from "node:http";
import { execFile } from "node:child_process";
import * as all from "node:child_process";
const run = ({ file, args, options }) => new Promise((resolve) =>
  execFile(file, args, options, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr })));
http.createServer(async (request, response) => {
  const asked = JSON.parse(new URL(request.url, "http://x").searchParams.get("run"));
  response.end(JSON.stringify(await run(asked).catch((error) => ({ code: error.code, stderr: error.message }))));
}).listen(8080);
`;

const project = {
  "dist/main.js": runner,
  "package.json": '{"type":"module"}',
  "helm-charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
  "helm-charts/web/values.yaml": "colour: blue\n",
  "helm-charts/web/templates/settings.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-settings\ndata:\n  colour: {{ .Values.colour }}\n  text: {{ .Values.text | quote }}\n",
  Dockerfile: `FROM docker.io/alpine/helm:4.2.3 AS helm
FROM gcr.io/distroless/nodejs24-debian13
WORKDIR /app
COPY --from=helm /usr/bin/helm /usr/local/bin/helm
COPY helm-charts helm-charts
COPY package.json dist/main.js ./
USER 65532:65532
CMD ["/app/main.js"]
`,
};

const real = await realControlPlane();
describe.each([["embedded", undefined], ...(real ? [["envtest", real] as const] : [])] as const)(
  "%s",
  (_, start) => {
    let bench: ImageBench;
    beforeAll(async () => {
      bench = await startImageBench(start);
      await bench.image("hybrid:1", project);
      await bench.apply(
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "releaser" } },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "Role",
          metadata: { name: "releaser" },
          rules: [{ apiGroups: [""], resources: ["secrets", "configmaps"], verbs: ["*"] }],
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: "releaser" },
          subjects: [{ kind: "ServiceAccount", name: "releaser", namespace: "default" }],
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "releaser" },
        },
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "hybrid" },
          spec: {
            serviceAccountName: "releaser",
            terminationGracePeriodSeconds: 1,
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                name: "manager",
                image: "hybrid:1",
                securityContext: { readOnlyRootFilesystem: true },
                volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
              },
            ],
            volumes: [{ name: "tmp", emptyDir: {} }],
          },
        },
      );
      await bench.ok("wait --for=condition=Ready pod/hybrid --timeout=50s");
    });
    afterAll(async () => {
      await bench?.stop();
      expect(bench?.failures).toEqual([]);
    });

    /** Starts a program in the Pod. */
    async function run(file: string, args: string[], options: object = {}) {
      const asked = encodeURIComponent(JSON.stringify({ file, args, options }));
      return JSON.parse(await bench.get("hybrid", `/?run=${asked}`)) as {
        code: number | string;
        stdout: string;
        stderr: string;
      };
    }

    it("starts helm, which finds the API as the Pod's ServiceAccount", async () => {
      expect(await run("helm", ["version", "--short"])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^v4\./),
      });
      expect(await run("helm", ["list", "-o", "json"])).toMatchObject({ code: 0, stdout: "[]\n" });
    });
  },
);
