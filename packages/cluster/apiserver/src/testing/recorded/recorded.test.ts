import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../lib/json/json.ts";
import { startTestServer } from "../test-server.ts";
import { caseFiles } from "./cases.ts";
import { type Answer, createRunner, prepare, type Send } from "./exchange.ts";

// The heart of the proof that the server speaks as a real one: each exchange has a real kube-apiserver's answer in
// generated/ (scripts/record-answers.ts), and ours must be the same.

const server = await startTestServer({}, { shared: true });

const send: Send = async (method, path, contentType = "application/json", body, more = {}) => {
  const headers = { "content-type": contentType, ...more };
  const answer = await server.request(method, path, { body, headers });
  const warning = String(answer.headers.warning ?? "");
  const warnings = [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
    (match) => JSON.parse(`"${match[1]}"`) as string,
  );
  const { status } = answer;
  // A path that is not served is answered in plain text.
  const isJson = answer.headers["content-type"]?.startsWith("application/json");
  return { status, warnings, body: isJson ? answer.json<JsonValue>() : answer.text };
};
await prepare(send);
const runner = createRunner(send);

/** Where we answer otherwise on purpose. When the reason has gone, the test fails, and the entry can go too. */
const deviations: Record<string, string> = {
  "9 a number with an exponent":
    "a number that is too great for a double is refused by the schema, not by the decoder",
  "container: privileged without escalation": "privileged containers are allowed, as in clusters of kubeadm",
};

describe.each(Object.entries(caseFiles))("%s", (file, exchanges) => {
  const path = join(import.meta.dirname, "generated", `${file}.json`);
  const { answers } = JSON.parse(readFileSync(path, "utf8")) as { answers: Record<string, Answer> };

  test.each(exchanges.map((exchange) => [exchange.name, exchange] as const))("%s", async (name, exchange) => {
    const answer = await runner.run(exchange);
    if (name in deviations) expect(answer).not.toEqual(answers[name]);
    else expect(answer).toEqual(answers[name]);
  });

  test("every recorded answer has its exchange", () => {
    expect(Object.keys(answers).sort()).toEqual(exchanges.map(({ name }) => name).sort());
  });
});
