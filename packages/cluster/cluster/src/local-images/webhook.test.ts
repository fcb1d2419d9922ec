import { createServingCertificate } from "@operator-path/client/certificates";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterAll(() => bench?.stop());

/** An admission webhook, with its certificates where kubebuilder's projects have them. */
const source = `
import fs from "node:fs";
import https from "node:https";
import os from "node:os";
const dir = "/tmp/k8s-webhook-server/serving-certs/";
https.createServer({ cert: fs.readFileSync(dir + "tls.crt"), key: fs.readFileSync(dir + "tls.key") }, async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (request.url === "/healthz") return response.end("ok");
  const review = JSON.parse(text);
  const { uid, object } = review.request;
  const allowed = object.data?.colour !== "red";
  const status = { message: "no red, says " + os.hostname() };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ...review, request: undefined, response: allowed ? { uid, allowed } : { uid, allowed, status } }));
}).listen(9443, () => console.log("serving webhooks"));
process.on("SIGTERM", () => process.exit(0));
`;

it("answers the API server through its Service, and another replica takes over when one is deleted", async () => {
  const names = ["hook.default.svc"];
  const certificate = createServingCertificate(names, Date.now());
  await bench.image("hook:1", {
    "main.mjs": source,
    Dockerfile: 'FROM gcr.io/distroless/nodejs26-debian13\nCOPY main.mjs /\nUSER 65532\nCMD ["/main.mjs"]\n',
  });
  const labels = { app: "hook" };
  await bench.apply(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "certificates" },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificate.certificate, "tls.key": certificate.privateKey },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "hook" },
      spec: { selector: labels, ports: [{ port: 443, targetPort: 9443 }] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "hook" },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            volumes: [{ name: "certificates", secret: { secretName: "certificates" } }],
            containers: [
              {
                name: "hook",
                image: "hook:1",
                volumeMounts: [
                  {
                    name: "certificates",
                    mountPath: "/tmp/k8s-webhook-server/serving-certs",
                    readOnly: true,
                  },
                ],
                readinessProbe: {
                  httpGet: { scheme: "HTTPS", path: "/healthz", port: 9443 },
                  periodSeconds: 1,
                },
              },
            ],
          },
        },
      },
    },
  );
  await bench.ok("rollout status deployment hook --timeout=50s");
  const endpoints =
    "get endpointslices -l kubernetes.io/service-name=hook -o jsonpath={.items[*].endpoints[*].addresses[0]}";
  await until(async () => (await bench.ok(endpoints)).split(" ").length === 2);
  await bench.apply({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "hook" },
    webhooks: [
      {
        name: "hook.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        clientConfig: {
          service: { namespace: "default", name: "hook", path: "/validate" },
          caBundle: Buffer.from(certificate.caCertificate).toString("base64"),
        },
      },
    ],
  });
  const refusal = async () => (await bench.run("create configmap red --from-literal=colour=red")).stderr;
  await until(async () => (await refusal()).includes("denied"));
  const said =
    /^error: failed to create configmap: admission webhook "hook\.example\.com" denied the request: no red, says (hook-\S+)\n$/;
  const [, first = ""] = said.exec(await refusal()) ?? [];
  expect(first).not.toBe("");
  await bench.ok(`delete pod ${first}`);
  await until(async () => {
    const [, second = first] = said.exec(await refusal()) ?? [];
    return second !== first;
  });
  expect(await bench.ok("create configmap blue --from-literal=colour=blue")).toBe("configmap/blue created\n");
});
