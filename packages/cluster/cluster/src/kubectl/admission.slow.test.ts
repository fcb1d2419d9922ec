// Admission, as a real kubectl shows it. A kube-apiserver 1.36.3 causes the same output.
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createServingCertificate } from "@operator-path/client/certificates";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";

let bench: KubectlBench;
let webhook: Server;
const certificate = createServingCertificate(["localhost", "127.0.0.1"], Date.now());

beforeAll(async () => {
  bench = await startKubectlBench();
  webhook = createServer(
    { cert: certificate.certificate, key: certificate.privateKey },
    async (message, response) => {
      let text = "";
      for await (const chunk of message) text += chunk;
      const { apiVersion, kind, request } = JSON.parse(text) as {
        apiVersion: string;
        kind: string;
        request: { uid: string; object: { metadata: { name: string } } };
      };
      const { uid, object } = request;
      const answer = object.metadata.name.startsWith("bad")
        ? { uid, allowed: false, status: { message: "bad names are not allowed" } }
        : { uid, allowed: true, warnings: ["names are a matter of taste"] };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ apiVersion, kind, response: answer }));
    },
  );
  await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  webhook.closeAllConnections();
  await new Promise((resolve) => webhook.close(resolve));
  await bench.stop();
});

const violations =
  'allowPrivilegeEscalation != false (container "x" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "x" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "x" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "x" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

it("a restricted namespace warns of a Deployment, rejects its Pods, and reports it in an Event", async () => {
  await bench.ok("create namespace careful");
  await bench.ok("label namespace careful pod-security.kubernetes.io/enforce=restricted");
  expect(await bench.run("-n careful create deployment web --image=x")).toEqual({
    code: 0,
    stdout: "deployment.apps/web created\n",
    stderr: `Warning: would violate PodSecurity "restricted:latest": ${violations}\n`,
  });
  await expect
    .poll(() =>
      bench.ok("-n careful get events --field-selector reason=FailedCreate -o jsonpath={.items[0].message}"),
    )
    .toMatch(
      /^Error creating: pods "web-[a-z0-9]+-[a-z0-9]+" is forbidden: violates PodSecurity "restricted:latest": /,
    );
  expect(
    await bench.refused("label namespace careful --overwrite pod-security.kubernetes.io/enforce=strict"),
  ).toBe(
    'The Namespace "careful" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
  );
});

it("a namespace whose quota is used up rejects new objects", async () => {
  await bench.ok("create namespace small");
  await bench.ok("-n small create quota budget --hard=secrets=1,pods=0");
  await expect
    .poll(() => bench.ok("-n small get quota budget -o jsonpath={.status.used}"))
    .toBe('{"pods":"0","secrets":"0"}');
  await bench.ok("-n small create secret generic one");
  expect(await bench.refused("-n small create secret generic two")).toBe(
    'error: failed to create secret secrets "two" is forbidden: exceeded quota: budget, requested: secrets=1, used: secrets=1, limited: secrets=1',
  );
  expect(await bench.ok("-n small describe quota budget")).toBe(`Name:       budget
Namespace:  small
Resource    Used  Hard
--------    ----  ----
pods        0     0
secrets     1     1
`);
  expect(await bench.refused("-n small run one --image=x")).toBe(
    'Error from server (Forbidden): pods "one" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=0, limited: pods=0',
  );
});

it("a webhook's rejections and warnings are shown word for word", async () => {
  const { port } = webhook.address() as AddressInfo;
  await bench.ok(
    "apply -f -",
    `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: names}
webhooks:
- name: names.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    url: https://127.0.0.1:${port}/
    caBundle: ${Buffer.from(certificate.caCertificate).toString("base64")}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
`,
  );
  expect(await bench.refused("create configmap bad")).toBe(
    'error: failed to create configmap: admission webhook "names.example.com" denied the request: bad names are not allowed',
  );
  expect(await bench.refused("apply -f -", "{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}}")).toBe(
    'Error from server: error when creating "STDIN": admission webhook "names.example.com" denied the request: bad names are not allowed',
  );
  expect(await bench.run("create configmap good")).toEqual({
    code: 0,
    stdout: "configmap/good created\n",
    stderr: "Warning: names are a matter of taste\n",
  });
  expect(await bench.ok("get validatingwebhookconfigurations --no-headers")).toMatch(/^names +1 +\d+s\n$/);
});

it("a policy's rejection is an invalid object", async () => {
  await bench.ok(
    "apply -f -",
    `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - {expression: "object.spec.replicas <= 2", messageExpression: "'at most 2 replicas, not ' + string(object.spec.replicas)"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
`,
  );
  expect(await bench.refused("create deployment many --image=x --replicas=3")).toBe(
    `error: failed to create deployment: deployments.apps "many" is forbidden: ValidatingAdmissionPolicy 'few' with binding 'few' denied request: at most 2 replicas, not 3`,
  );
  await bench.ok("create deployment many --image=x --replicas=2");
  expect(await bench.ok("get validatingadmissionpolicies --no-headers")).toMatch(/^few +1 +<unset> +\d+s\n$/);
});

it("a claim in use waits for its Pod", async () => {
  await bench.ok(
    "apply -f -",
    `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`,
  );
  expect(await bench.ok("get pvc data -o jsonpath={.metadata.finalizers}")).toBe(
    '["kubernetes.io/pvc-protection"]',
  );
  expect(await bench.ok("delete pvc data --timeout=50s")).toContain('persistentvolumeclaim "data" deleted');
});
