// Writes src/testing/recorded/generated/*.json: the responses of a real kube-apiserver to the exchanges in
// src/testing/recorded/cases. Run it by hand when cases are added or Kubernetes' version changes, against a
// real server of that version with default settings and without a controller-manager:
//
//   tsx --conditions=@operator-path/source scripts/record-answers.ts --kubeconfig <of the real server> [--only pods]
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ApiError, type Client, createClient, KubeConfig } from "@operator-path/client";
import type { JsonValue } from "../src/lib/json/json.ts";
import { caseFiles } from "../src/testing/recorded/cases.ts";
import { type Answer, createRunner, prepare, type Send } from "../src/testing/recorded/exchange.ts";

const { values } = parseArgs({ options: { kubeconfig: { type: "string" }, only: { type: "string" } } });
if (values.kubeconfig === undefined) throw new Error("say --kubeconfig <of a real kube-apiserver>");
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(values.kubeconfig);
const client = createClient(kubeConfig);
const send = sender(client);
const { gitVersion } = (await send("GET", "/version", undefined, undefined)).body as { gitVersion: string };
await prepare(send);
// Its authorizer reads roles and bindings from a watch.
const runner = createRunner(send, () => setTimeout(300));
for (const [file, exchanges] of Object.entries(caseFiles)) {
  if (values.only !== undefined && values.only !== file) continue;
  const answers: Record<string, Answer> = {};
  for (const exchange of exchanges) {
    if (exchange.name in answers) throw new Error(`${file}: ${exchange.name} is there twice`);
    answers[exchange.name] = await runner.run(exchange);
  }
  const path = join(import.meta.dirname, `../src/testing/recorded/generated/${file}.json`);
  await writeFile(path, `${JSON.stringify({ server: gitVersion, answers }, null, 1)}\n`);
  console.log(`${file}: ${exchanges.length}`);
}
await runner.close();
await client.close();

function sender(to: Client): Send {
  return async (method, path, contentType = "application/json", body, more = {}) => {
    const headers = { "content-type": contentType, accept: "application/json", ...more };
    const [pathname = "", search = ""] = path.split("?");
    const request = {
      method,
      path: pathname,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    };
    try {
      const answer = await to.request(request);
      const warning = answer.headers.warning ?? "";
      const warnings = [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
        (match) => JSON.parse(`"${match[1]}"`) as string,
      );
      const text = new TextDecoder().decode(answer.body);
      return { status: answer.status, warnings, body: JSON.parse(text) as JsonValue };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return {
        status: error.code,
        warnings: [],
        body: JSON.parse(JSON.stringify(error.status)) as JsonValue,
      };
    }
  };
}
