import { setTimeout as sleep } from "node:timers/promises";
import { parse as parseYaml } from "yaml";
import { createNormalizer, type Normalizer } from "./normalize.ts";
import { type Bindings, fill, fillText } from "./placeholders.ts";
import type { Answer, Json, RequestStep, Script, Step, WatchStep } from "./script.ts";
import type { Target, WireAnswer, WireRequest, WireStream } from "./target.ts";

/** The time limit of an expected event, in milliseconds. */
const eventTimeout = 15_000;
/** How long to wait for unexpected events. */
const quietTime = 60;
/** How long a step with `until` is repeated by default, in milliseconds. */
const untilPatience = 60_000;

/** Returns the script's namespace. It depends on the name alone, so both servers receive the same one. */
export function namespaceOf(script: Pick<Script, "area" | "name">): string {
  const words = `${script.area} ${script.name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  let hash = 7;
  for (const character of words) hash = (hash * 31 + character.charCodeAt(0)) % 46_655;
  return `${words.slice(0, 40).replace(/-$/, "")}-${hash.toString(36)}`;
}

/** Sends a script's requests to a server. Resolves to the answers to compare, in order. */
export async function play(
  script: Script,
  target: Target,
  given: ReadonlyMap<string, Json> = new Map(),
): Promise<Answer[]> {
  const namespace = namespaceOf(script);
  const bindings = new Map<string, Json>([...given, ["ns", namespace]]);
  const normalizer = createNormalizer();
  const watches = new Map<string, { stream: WireStream; step: WatchStep }>();
  const answers: Answer[] = [];
  try {
    await prepare(namespace, target);
    for (const [index, step] of script.steps.entries()) {
      const answer = await playStep(step, { target, bindings, normalizer, watches }).catch(
        (error: unknown) => {
          const words = error instanceof Error ? error.message : String(error);
          return { request: `step ${index + 1}`, status: 0, body: `not sent: ${words}` };
        },
      );
      if (answer) answers.push(answer);
    }
    return answers;
  } finally {
    for (const { stream } of watches.values()) stream.close();
  }
}

interface Playing {
  readonly target: Target;
  readonly bindings: Map<string, Json>;
  readonly normalizer: Normalizer;
  readonly watches: Map<string, { stream: WireStream; step: WatchStep }>;
}

async function playStep(step: Step, playing: Playing): Promise<Answer | undefined> {
  if ("watch" in step) {
    const stream = await playing.target.open(wire({ method: "GET", ...step }, playing.bindings));
    playing.watches.set(step.watch, { stream, step });
    return undefined;
  }
  if ("collect" in step) return collect(step.collect, step.count, playing);
  const answer = await sendUntil(step, playing);
  const body = parse(answer.text, String(answer.headers["content-type"] ?? ""));
  if (step.id !== undefined) playing.bindings.set(step.id, body);
  if (step.setup) {
    // Its uids and versions count for the numbering of later ones.
    playing.normalizer(body);
    if (answer.status < 400 || isAwaited(step, answer)) return undefined;
    throw new Error(`${step.method} ${step.path} was rejected: ${answer.text.slice(0, 300)}`);
  }
  const warnings = warningsOf(answer);
  return {
    request: `${step.method} ${step.path}`,
    status: answer.status,
    contentType: String(answer.headers["content-type"] ?? ""),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((text) => String(playing.normalizer(text))) }),
    body: playing.normalizer(body),
  };
}

function isAwaited({ until }: RequestStep, answer: WireAnswer): boolean {
  const { status } = answer;
  if (until === "warning") return warningsOf(answer).length > 0;
  return typeof until === "number" ? status === until : (until?.includes(status) ?? false);
}

async function sendUntil(step: RequestStep, playing: Playing): Promise<WireAnswer> {
  const deadline = performance.now() + (step.patience ?? untilPatience);
  for (;;) {
    const answer = await playing.target.send(wire(step, playing.bindings));
    if (step.until === undefined || isAwaited(step, answer) || performance.now() > deadline) return answer;
    await sleep(40);
  }
}

async function collect(name: string, count: number, playing: Playing): Promise<Answer> {
  const open = playing.watches.get(name);
  if (open === undefined) throw new Error(`no watch ${name} is open`);
  const events: Json[] = [];
  for (let patience = eventTimeout; ; patience = events.length >= count ? quietTime : eventTimeout) {
    const line = await open.stream.line(patience);
    if (line === undefined) break;
    // Servers send other bookmarks than the one that ends the initial events at any time.
    if (!/^\{"type":"BOOKMARK"/.test(line) || line.includes("k8s.io/initial-events-end")) {
      events.push(playing.normalizer(parse(line)));
    }
  }
  open.stream.close();
  playing.watches.delete(name);
  return { request: `GET ${open.step.path}`, status: open.stream.status, body: events };
}

function wire(step: Omit<RequestStep, "setup" | "until" | "patience">, bindings: Bindings): WireRequest {
  const { body } = step;
  const filled = body === undefined || typeof body === "string" ? body : fill(body, bindings);
  const text =
    typeof filled === "string"
      ? fillText(filled, bindings)
      : filled === undefined
        ? undefined
        : JSON.stringify(filled);
  const content = step.bytes === undefined ? text : Buffer.from(step.bytes, "base64");
  return {
    method: step.method,
    path: fillText(step.path, bindings),
    headers: {
      accept: step.accept ?? "application/json",
      "user-agent": step.userAgent ?? "conformance",
      ...(content === undefined ? {} : { "content-type": step.contentType ?? "application/json" }),
      ...(step.as === undefined ? {} : { "impersonate-user": fillText(step.as, bindings) }),
      ...(step.groups === undefined
        ? {}
        : { "impersonate-group": step.groups.map((group) => fillText(group, bindings)) }),
    },
    ...(content === undefined ? {} : { body: content }),
    ...(step.token === undefined ? {} : { token: fillText(step.token, bindings) }),
  };
}

/** Creates the namespace and its ServiceAccount: no controller runs on the servers. */
async function prepare(namespace: string, target: Target): Promise<void> {
  const post = async (path: string, body: Json): Promise<void> => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const { status, text } = await target.send({ method: "POST", path, headers, body: JSON.stringify(body) });
    if (status !== 201) throw new Error(`${target.name}: POST ${path}: ${status} ${text}`);
  };
  await post("/api/v1/namespaces", { metadata: { name: namespace } });
  await post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: "default" } });
}

function warningsOf({ headers }: WireAnswer): string[] {
  const all = [headers.warning ?? []].flat().join(", ");
  return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(
    (match) => JSON.parse(`"${match[1]}"`) as string,
  );
}

function parse(text: string, contentType = ""): Json {
  try {
    if (contentType.startsWith("application/yaml")) return parseYaml(text) as Json;
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
