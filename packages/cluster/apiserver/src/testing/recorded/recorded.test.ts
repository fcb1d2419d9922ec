import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../lib/json/json.ts";
import { startTestServer } from "../test-server.ts";
import { caseFiles } from "./cases.ts";
import { type Answer, createRunner, prepare, type Send } from "./exchange.ts";

// Proves that the server answers like a real one: each exchange has the response of a real kube-apiserver in
// generated/ (scripts/record-answers.ts), and the response of this server must be equal.

const server = await startTestServer({}, { shared: true });

const send: Send = async (method, path, contentType = "application/json", body, more = {}) => {
  const headers = { "content-type": contentType, ...more };
  const answer = await server.request(method, path, { body, headers });
  const warning = String(answer.headers.warning ?? "");
  const warnings = [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
    (match) => JSON.parse(`"${match[1]}"`) as string,
  );
  const { status } = answer;
  // An unserved path gets a response in plain text.
  const isJson = answer.headers["content-type"]?.startsWith("application/json");
  return { status, warnings, body: isJson ? answer.json<JsonValue>() : answer.text };
};
await prepare(send);
const runner = createRunner(send);

/** Differences on purpose. When a difference disappears, the test fails, and its entry can be removed. */
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

  test("every recorded response has an exchange", () => {
    expect(Object.keys(answers).sort()).toEqual(exchanges.map(({ name }) => name).sort());
  });
});
