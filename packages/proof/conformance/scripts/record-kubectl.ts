// Writes src/kubectl/requests.json: the requests of a real kubectl to a real kube-apiserver for the commands in
// src/kubectl/commands.ts. Run it by hand after a change of the commands or of kubectl's version:
//
//   node --conditions=@operator-path/source packages/proof/conformance/scripts/record-kubectl.ts
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { findControlPlane, findTool } from "@operator-path/tools";
import { kubectlCommands } from "../src/kubectl/commands.ts";
import { kubectlArea } from "../src/kubectl/kubectl.ts";
import { namespaceOf } from "../src/play.ts";
import type { Json, RequestStep } from "../src/script.ts";

// The namespace of the script: the protobuf bodies contain it, too.
let namespace = "";
await using undo = new AsyncDisposableStack();
const plane = await startRealControlPlane({ programs: await findControlPlane({ log: console.error }) });
undo.defer(() => plane.stop());
const folder = await mkdtemp(join(tmpdir(), "record-kubectl-"));
undo.defer(() => rm(folder, { recursive: true, force: true }));
const kubectl = await findTool("kubectl");

let steps: RequestStep[] = [];
const proxy = createServer(async (incoming, outgoing) => {
  const body = await read(incoming);
  const step = toStep(incoming, body);
  if (step) steps.push(step);
  const { host: _host, ...headers } = incoming.headers;
  const forwarded = httpsRequest(
    `${plane.url}${incoming.url}`,
    {
      method: incoming.method,
      ca: plane.caCertificate,
      headers: { ...headers, authorization: `Bearer ${plane.token}` },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    },
  );
  forwarded.end(body);
});
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");
undo.defer(() => void proxy.close());
const { port } = proxy.address() as AddressInfo;

const recorded: Record<string, RequestStep[]> = {};
for (const [name, commands] of Object.entries(kubectlCommands)) {
  namespace = namespaceOf({ area: kubectlArea(name), name });
  await run("create namespace", [`create namespace ${namespace}`]);
  await run("create account", [`create serviceaccount default -n ${namespace}`]);
  steps = [];
  await run(name, commands);
  recorded[name] = steps;
  // The preparation of the next script does not belong to this one.
  steps = [];
  console.log(`${name}: ${recorded[name]?.length} requests`);
}
const file = join(import.meta.dirname, "../src/kubectl/requests.json");
await writeFile(file, `${JSON.stringify({ kubectl: kubectl.version, scripts: recorded }, null, 1)}\n`);

async function run(name: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const [line = "", input = ""] = command.replaceAll("{{ns}}", namespace).split(" <<< ");
    const args = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const server = ["--server", `http://127.0.0.1:${port}`, "--namespace", namespace];
    await new Promise<void>((resolve) => {
      const env = { HOME: folder, PATH: process.env.PATH, KUBECONFIG: "/dev/null", EDITOR: "true" };
      const child = execFile(
        kubectl.path,
        [...server, ...args],
        { env, timeout: 20_000 },
        (error, _out, stderr) => {
          if (error) console.log(`  ${name}: ${line}: ${stderr.trim().split("\n")[0]}`);
          resolve();
        },
      );
      child.stdin?.end(input);
    });
  }
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Leaves out discovery and OpenAPI: they are long, and other scripts cover them. */
function toStep(
  { method = "GET", url = "", headers }: IncomingMessage,
  body: Buffer,
): RequestStep | undefined {
  if (/^\/(openapi|api$|api\?|apis$|apis\?|version)/.test(url) || url.includes("watch=true"))
    return undefined;
  const type = headers["content-type"] ?? "";
  const content = (bytes: Buffer): Pick<RequestStep, "body" | "bytes"> =>
    type.includes("protobuf") ? { bytes: bytes.toString("base64") } : { body: parse(text(bytes.toString())) };
  const text = (value: string): string => value.replaceAll(namespace, "{{ns}}");
  return {
    method: method as RequestStep["method"],
    path: text(url),
    accept: headers.accept ?? "*/*",
    userAgent: `kubectl/v${kubectl.version}`,
    ...(body.length === 0 ? {} : { ...content(body), contentType: type }),
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
