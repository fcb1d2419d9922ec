// kubectl's output for wrong input, word for word as with a real kube-apiserver 1.36.3.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";
import { crd, podbuggertool } from "./podbuggertool.ts";

let bench: KubectlBench;
beforeAll(async () => {
  bench = await startKubectlBench();
  await bench.ok("apply -f -", crd);
});
afterAll(() => bench.stop());

const apply = (yaml: string): Promise<string> => bench.refused("apply -f -", yaml);
const creating = 'Error from server (BadRequest): error when creating "STDIN":';

describe("YAML", () => {
  it.each([
    [
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: z\n data: x\n",
      "error: error parsing STDIN: error converting YAML to JSON: yaml: line 4: did not find expected key",
    ],
    [
      "hello\n",
      'error: error validating "STDIN": error validating data: invalid object to validate; if you choose to ignore these errors, turn validation off with --validate=false',
    ],
    [
      podbuggertool("label: a=b, image: x").replace("Podbuggertool", "Podbugertool"),
      'error: resource mapping not found for name: "a" namespace: "" from "STDIN": no matches for kind "Podbugertool" in version "ualter.com/v1beta1"\nensure CRDs are installed first',
    ],
    [
      podbuggertool("label: a=b, image: x").replace("v1beta1", "v1"),
      'error: resource mapping not found for name: "a" namespace: "" from "STDIN": no matches for kind "Podbuggertool" in version "ualter.com/v1"\nensure CRDs are installed first',
    ],
  ])("%j", async (yaml, message) => {
    expect(await apply(yaml)).toBe(message);
  });
});

describe("unknown fields and wrong types", () => {
  const pod = (container: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: a, image: a, ${container}}]}\n`;
  it.each([
    [
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z}\nfoo: {a: 1}\nbar: 2\n",
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "bar", unknown field "foo"',
    ],
    [
      pod("env: [{name: A, value: 5}]"),
      'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
    ],
    [
      pod("resources: {limits: {cpu: lots}}"),
      "Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      podbuggertool("label: a=b, image: x, nope: 1"),
      'Podbuggertool in version "v1beta1" cannot be handled as a Podbuggertool: strict decoding error: unknown field "spec.nope"',
    ],
  ])("%j", async (yaml, message) => {
    expect(await apply(yaml)).toBe(`${creating} ${message}`);
  });

  it("cause a warning, or are dropped silently, on request", async () => {
    const warned = podbuggertool("label: a=b, image: x, nope: 1", "name: warned");
    expect(await bench.run("apply --validate=warn -f -", { input: warned })).toEqual({
      code: 0,
      stdout: "podbuggertool.ualter.com/warned created\n",
      stderr: 'Warning: unknown field "spec.nope"\n',
    });
    const ignored = podbuggertool("label: a=b, image: x, nope: 1", "name: ignored");
    expect(await bench.run("apply --validate=ignore -f -", { input: ignored })).toEqual({
      code: 0,
      stdout: "podbuggertool.ualter.com/ignored created\n",
      stderr: "",
    });
    expect(await bench.ok("get pbt ignored -o jsonpath={.spec}")).toBe('{"image":"x","label":"a=b"}');
  });
});

describe("objects that break the rules of their kind", () => {
  it.each([
    [
      podbuggertool('label: noequals, image: ""'),
      'The Podbuggertool "a" is invalid: \n* spec.image: Invalid value: "": spec.image in body should be at least 1 chars long\n* spec.label: Invalid value: "noequals": spec.label in body should match \'^[^=]+=.*$\'',
    ],
    [podbuggertool("label: a=b"), 'The Podbuggertool "a" is invalid: spec.image: Required value'],
    [
      podbuggertool("label: 5, image: x"),
      'The Podbuggertool "a" is invalid: spec.label: Invalid value: "integer": spec.label in body must be of type string: "integer"',
    ],
    [
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n",
      'The Pod "p" is invalid: spec.containers: Required value',
    ],
    [
      "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {}\n",
      'The Service "s" is invalid: spec.ports: Required value',
    ],
    [
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: a, image: a}]}}}\n",
      'The Deployment "d" is invalid: spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
    ],
  ])("%j", async (yaml, message) => {
    expect(await apply(yaml)).toBe(message);
  });
});

describe("missing objects", () => {
  it.each([
    ["get nope", `error: the server doesn't have a resource type "nope"`],
    ["get pods nope", 'Error from server (NotFound): pods "nope" not found'],
    ["get pods nope -n nope", 'Error from server (NotFound): namespaces "nope" not found'],
    ["create configmap c -n nope", 'error: failed to create configmap: namespaces "nope" not found'],
    ["logs nope", `error: error from server (NotFound): pods "nope" not found in namespace "default"`],
    ["exec nope -- ls", 'Error from server (NotFound): pods "nope" not found'],
    ["scale deployment nope --replicas=1", 'Error from server (NotFound): deployments.apps "nope" not found'],
    ["rollout status deployment/nope", 'Error from server (NotFound): deployments.apps "nope" not found'],
    ["top pods", "error: Metrics API not available"],
    [
      "get pods --field-selector nope=1",
      'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "nope=1": field label not supported: nope',
    ],
  ])("%s", async (command, message) => {
    expect(await bench.refused(command)).toBe(message);
  });

  it("a missing namespace: an empty list", async () => {
    expect(await bench.run("get pods -n nope")).toEqual({
      code: 0,
      stdout: "",
      stderr: "No resources found in nope namespace.\n",
    });
  });

  it("a Pod that does not run, a port that a Service lacks", async () => {
    await bench.ok("run web --image=nope.example.com/nope");
    expect(await bench.refused("port-forward pod/web 0:80")).toBe(
      "error: unable to forward port because pod is not running. Current status=Pending",
    );
    expect(await bench.refused("port-forward service/kubernetes 0:80")).toContain("error: ");
  });
});

describe("authentication", () => {
  it("an unknown token", async () => {
    expect(await bench.refused("get pods --token wrong")).toBe(
      "error: You must be logged in to the server (Unauthorized)",
    );
  });

  it("no token: kubectl asks for a name, and any answer is rejected", async () => {
    const config = await bench.ok("config view --raw");
    const anonymous = await bench.file("anonymous", config.replace(/^( +)token: .*$/m, "$1{}"));
    const env = { KUBECONFIG: anonymous };
    expect(await bench.run("get pods", { env })).toEqual({
      code: 1,
      stdout: "Please enter Username: ",
      stderr: "error: EOF\n",
    });
    expect(await bench.run("get pods --username=u --password=p", { env })).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: You must be logged in to the server (Unauthorized)\n",
    });
  });
});

it("no request was answered by a failure of the server", () => {
  expect(bench.answered).toBeGreaterThan(50);
  expect(bench.failures).toEqual([]);
});
