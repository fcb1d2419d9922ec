import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/json/json.ts";
import {
  configMapRule,
  configMaps,
  denied,
  registration,
  startPolicyScene,
} from "../../../testing/policy-scene.ts";
import { configMap, startTestServer } from "../../../testing/test-server.ts";

// The messages are those of a real kube-apiserver for the same policies and requests.

describe("a failed validation", () => {
  test.each<[string, JsonObject, number, string, string]>([
    ["says its expression", {}, 422, "Invalid", "failed expression: object.data.a == 'b'"],
    ["says its message", { message: "  not like this  " }, 422, "Invalid", "not like this"],
    [
      "reports the result of a messageExpression",
      {
        message: "unused",
        messageExpression: "'no ' + object.metadata.name + ' in ' + namespaceObject.metadata.name",
      },
      422,
      "Invalid",
      "no a in default",
    ],
    [
      "says its message when the expression fails",
      { message: "instead", messageExpression: "object.data.missing + ''" },
      422,
      "Invalid",
      "instead",
    ],
    ["has a reason", { reason: "Forbidden" }, 403, "Forbidden", "failed expression: object.data.a == 'b'"],
    [
      "has another one",
      { reason: "RequestEntityTooLarge" },
      413,
      "RequestEntityTooLarge",
      "failed expression: object.data.a == 'b'",
    ],
  ])("%s", async (_what, members, code, reason, why) => {
    const { post } = await startPolicyScene({
      validations: [{ expression: "object.data.a == 'b'", ...members }],
    });
    expect((await post("a", { a: "c" })).json()).toMatchObject({
      code,
      reason,
      message: denied(why),
      details: { name: "a", kind: "configmaps", causes: [{ message: expect.stringContaining(why) }] },
    });
    expect((await post("ok", { a: "b" })).status).toBe(201);
  });

  test("reports only the first one", async () => {
    const { post } = await startPolicyScene({
      validations: [
        { expression: "true" },
        { expression: "false", message: "one" },
        { expression: "false", message: "two" },
      ],
    });
    expect((await post("a")).json().message).toBe(denied("one"));
  });

  test("can be a warning instead", async () => {
    const { post } = await startPolicyScene(
      { validations: [{ expression: "false" }] },
      { validationActions: ["Warn", "Audit"] },
    );
    const answer = await post("a");
    expect(answer.status).toBe(201);
    expect(answer.headers.warning).toBe(
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': failed expression: false"`,
    );
  });
});

describe("variables of expressions", () => {
  const holds = async (expression: string, members: JsonObject = {}) => {
    const { post } = await startPolicyScene({ validations: [{ expression }], ...members });
    return (await post("a", { n: "1" })).status === 201;
  };

  test.each([
    "oldObject == null",
    "request.operation == 'CREATE' && request.name == 'a' && request.namespace == 'default'",
    "request.userInfo.username == 'kubernetes-admin' && 'system:masters' in request.userInfo.groups",
    "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && !request.dryRun",
    "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'",
    "has(object.metadata.uid) && !has(object.metadata.labels)",
    "int(object.data.n) + 1 == 2",
    "authorizer.group('').resource('pods').namespace('default').check('delete').allowed()",
    "authorizer.requestResource.check('create').allowed()",
    "!authorizer.serviceAccount('default', 'x').group('').resource('pods').check('get').allowed()",
    "params == null",
  ])("%s", async (expression) => {
    const params = expression.startsWith("params") ? { paramKind: { apiVersion: "v1", kind: "Secret" } } : {};
    expect(await holds(expression, params)).toBe(true);
  });

  test("evaluates variables from each other, when they are needed", async () => {
    const variables = [
      { name: "n", expression: "int(object.data.n)" },
      { name: "twice", expression: "variables.n * 2" },
      { name: "unused", expression: "object.nothing.like.that == 1" },
    ];
    expect(await holds("variables.twice == 2 && variables.twice == 2", { variables })).toBe(true);
    const { post } = await startPolicyScene({ variables, validations: [{ expression: "variables.unused" }] });
    const { message = "" } = (await post("a", { n: "1" })).json<{ message?: string }>();
    expect(message).toBe(
      denied(
        `expression 'variables.unused' resulted in error: composited variable "unused" fails to evaluate: no such key: nothing`,
      ),
    );
  });

  test("have the old object in an update", async () => {
    const { server, post } = await startPolicyScene({
      validations: [
        { expression: "oldObject == null || object.data.n == oldObject.data.n", message: "immutable" },
      ],
    });
    await post("a", { n: "1" });
    const answer = await server.request("PUT", `${configMaps}/a`, { body: configMap("a", { n: "2" }) });
    expect(answer.json().message).toBe(denied("immutable"));
  });
});

describe("requests that a policy matches", () => {
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["all", {}, {}, []],
    [
      "conditions",
      { matchConditions: [{ name: "a", expression: "object.metadata.name != 'a'" }] },
      {},
      ["a"],
    ],
    [
      "excluded",
      {
        matchConstraints: {
          resourceRules: [configMapRule],
          excludeResourceRules: [{ ...configMapRule, resourceNames: ["a"] }],
        },
      },
      {},
      ["a"],
    ],
    [
      "by name",
      { matchConstraints: { resourceRules: [{ ...configMapRule, resourceNames: ["b"] }] } },
      {},
      ["a"],
    ],
    [
      "the binding's labels",
      {},
      { matchResources: { objectSelector: { matchLabels: { no: "one" } } } },
      ["a", "b"],
    ],
    [
      "the binding's namespaces",
      {},
      {
        matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } },
      },
      [],
    ],
  ])("%s", async (_what, spec, binding, allowed) => {
    const { post } = await startPolicyScene({ validations: [{ expression: "false" }], ...spec }, binding);
    const letIn: string[] = [];
    for (const name of ["a", "b"]) if ((await post(name)).status === 201) letIn.push(name);
    expect(letIn).toEqual(allowed);
  });

  test("a policy without a binding matches nothing", async () => {
    const server = await startTestServer();
    await server.create(`${registration}/validatingadmissionpolicies`, {
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules: [configMapRule] }, validations: [{ expression: "false" }] },
    });
    expect((await server.request("POST", configMaps, { body: configMap("a") })).status).toBe(201);
  });

  test("a dry run is validated too", async () => {
    const { server } = await startPolicyScene({ validations: [{ expression: "false" }] });
    expect((await server.request("POST", `${configMaps}?dryRun=All`, { body: configMap("a") })).status).toBe(
      422,
    );
  });
});

describe("an expression that fails", () => {
  const validations = [{ expression: "object.data.missing == 'x'" }];

  test("refuses the request, or is ignored", async () => {
    const strict = await startPolicyScene({ validations });
    expect((await strict.post("a", { n: "1" })).json().message).toBe(
      denied("expression 'object.data.missing == 'x'' resulted in error: no such key: missing"),
    );
    const lenient = await startPolicyScene({ validations, failurePolicy: "Ignore" });
    expect((await lenient.post("a", { n: "1" })).status).toBe(201);
  });
});
