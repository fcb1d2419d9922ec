import { expect, test } from "vitest";
import { recordingLogger } from "../testing/webhook-bench.ts";
import type { AdmissionHandler } from "./handler.ts";
import { multiMutatingHandler, multiValidatingHandler } from "./multi-handler.ts";
import type { AdmissionRequest } from "./request.ts";
import { type AdmissionResponse, allowed, denied, patched, withWarnings } from "./response.ts";

const request: AdmissionRequest = {
  uid: "u",
  kind: { group: "", version: "v1", kind: "Pod" },
  resource: { group: "", version: "v1", resource: "pods" },
  operation: "CREATE",
  userInfo: {},
};

/** The combined response of the handlers, and which of them were called. */
async function ask(
  combine: (...handlers: AdmissionHandler[]) => AdmissionHandler,
  ...responses: AdmissionResponse[]
) {
  const asked: number[] = [];
  const handlers = responses.map(
    (response, index): AdmissionHandler =>
      () => {
        asked.push(index);
        return response;
      },
  );
  const context = { ...recordingLogger(), signal: new AbortController().signal, headers: {}, warn() {} };
  return { response: await combine(...handlers)(request, context), asked };
}

const one = patched("", { op: "add", path: "/a", value: 1 });
const two = withWarnings(patched("", { op: "add", path: "/b", value: 2 }), "old");

test("combines patches and warnings in order", async () => {
  expect(await ask(multiMutatingHandler, one, allowed(), two)).toEqual({
    asked: [0, 1, 2],
    response: {
      ...{ allowed: true, status: { code: 200 }, warnings: ["old"] },
      patches: [...(one.patches ?? []), ...(two.patches ?? [])],
    },
  });
  expect((await ask(multiValidatingHandler, two, allowed())).response).toEqual({
    ...{ allowed: true, status: { code: 200 }, warnings: ["old"] },
  });
});

test.each([multiMutatingHandler, multiValidatingHandler])(
  "stops at the first denial: %o",
  async (combine) => {
    const { asked, response } = await ask(combine, one, denied("no"), denied("never"));
    expect(asked).toEqual([0, 1]);
    expect(response).toEqual(denied("no"));
  },
);
