// A real kube-apiserver with simulated Pods: its requests to nodes, and its way to Services.
import { createServingCertificate } from "@operator-path/client/certificates";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { realControlPlane } from "../testing/kubectl.ts";
import { portForward } from "../testing/port-forward.ts";
import { until } from "../testing/process.ts";

const start = await realControlPlane();

describe.skipIf(start === undefined)("a real kube-apiserver", () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await startImageBench(start);
    await bench.ok("create deployment web --image=nginx:1.27.5 --port=80");
    await bench.ok("expose deployment web --port=8080 --target-port=80 --type=LoadBalancer");
    await bench.ok("run box --image=busybox --command -- sh -c 'echo started; sleep infinity'");
    await bench.ok("wait --for=condition=Available deployment/web --timeout=50s");
    await bench.ok("wait --for=condition=Ready pod/box --timeout=50s");
  });
  afterAll(() => bench?.stop());

  test("runs commands, with input, output and exit code", async () => {
    const script = "exec -i box -- sh -c 'cat; echo oh >&2; exit 3'";
    expect(await bench.run(script, { input: "hello\n" })).toEqual({
      code: 3,
      stdout: "hello\n",
      stderr: "oh\ncommand terminated with exit code 3\n",
    });
    expect(await bench.refused("exec box -- nope")).toMatch(
      /^error: Internal error occurred: Internal error occurred: error executing command in container: .*executable file not found/,
    );
  });

  test("copies files there and back", async () => {
    const path = await bench.file("there.txt", "hello\n");
    await bench.ok(`cp ${path} box:/tmp/there.txt`);
    expect(await bench.ok("exec box -- cat /tmp/there.txt")).toBe("hello\n");
    await bench.ok(`cp box:/tmp/there.txt ${path}.back`);
  });

  test("shows logs, and attaches to a run until its end", async () => {
    expect(await bench.ok("logs box")).toBe("started\n");
    const run = "run brief -i --rm --quiet --image=busybox --restart=Never -- sh -c 'read x; echo got $x'";
    expect((await bench.run(run, { input: "it\n" })).stdout).toContain("got it\n");
  });

  test("forwards ports", async () => {
    const forwarding = await portForward(bench, "service/web :8080");
    onTestFinished(() => forwarding.stop());
    expect((await fetch(`http://127.0.0.1:${forwarding.ports[0]}/`)).status).toBe(200);
  });

  test("proxies requests to Services and Pods", async () => {
    const namespace = "/api/v1/namespaces/default";
    expect(await bench.ok(`get --raw ${namespace}/services/web:8080/proxy/`)).toContain("Welcome to nginx!");
    const pod = await bench.ok("get pod -l app=web -o jsonpath={.items[0].metadata.name}");
    expect(await bench.ok(`get --raw ${namespace}/pods/${pod}/proxy/`)).toContain("Welcome to nginx!");
  });

  test("accepts the address of a load balancer, which this machine reaches", async () => {
    const address = () => bench.ok("get service web -o jsonpath={.status.loadBalancer.ingress[0].ip}");
    await until(async () => (await address()) !== "");
    expect((await fetch(`http://${await address()}:8080/`)).status).toBe(200);
  });

  test("calls a webhook that runs in the cluster, through its Service", async () => {
    const { caCertificate, certificate, privateKey } = createServingCertificate(
      ["hook.default.svc"],
      Date.now(),
    );
    await bench.image("hook:v1", {
      "server.mjs": `
        import https from "node:https";
        https.createServer({ cert: process.env.CERT, key: process.env.KEY }, async (request, response) => {
          let body = "";
          for await (const chunk of request) body += chunk;
          const { uid } = JSON.parse(body).request;
          const answer = { uid, allowed: false, status: { message: "not today" } };
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", response: answer }));
        }).listen(9443);`,
      Dockerfile:
        'FROM gcr.io/distroless/nodejs26-debian13\nWORKDIR /app\nCOPY server.mjs .\nCMD ["server.mjs"]\n',
    });
    const env = [
      { name: "CERT", value: certificate },
      { name: "KEY", value: privateKey },
    ];
    const readinessProbe = { tcpSocket: { port: 9443 }, periodSeconds: 1 };
    await bench.apply(
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "hook", labels: { app: "hook" } },
        spec: { containers: [{ name: "main", image: "hook:v1", env, readinessProbe }] },
      },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "hook" },
        spec: { selector: { app: "hook" }, ports: [{ port: 443, targetPort: 9443 }] },
      },
    );
    await bench.ok("wait --for=condition=Ready pod/hook --timeout=50s");
    await bench.apply({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "hook" },
      webhooks: [
        {
          name: "hook.example.com",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: {
            service: { namespace: "default", name: "hook" },
            caBundle: Buffer.from(caCertificate).toString("base64"),
          },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] },
          ],
        },
      ],
    });
    // A real server takes a moment to notice its webhooks and their endpoints.
    await until(async () =>
      (await bench.run("create configmap x")).stderr.includes(
        'admission webhook "hook.example.com" denied the request: not today',
      ),
    );
    await bench.ok("delete validatingwebhookconfiguration hook");
  });
});
