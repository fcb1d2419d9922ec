/** Runs in a process of its own: API server, proxy and churn. */
import { startApiServer } from "@operator-path/apiserver";
import { type Client, configMaps, createClient } from "@operator-path/client";
import { keyOf } from "@operator-path/informers";
import { startTcpProxy } from "../../proxy/tcp-proxy.ts";
import { createRandom } from "../../random.ts";
import { namespace, startChurn } from "./churn.ts";
import { digest } from "./compare.ts";
import type { AskWorld, WorldAnswer } from "./messages.ts";
import { answerParent } from "./part.ts";
import { drawSoakFate, startWeather } from "./weather.ts";

const world = Promise.withResolvers<Awaited<ReturnType<typeof start>>>();

answerParent<AskWorld, WorldAnswer>(async (question) => {
  if (question.do === "start") world.resolve(await start(question));
  const { access, client, churn, weather, proxy } = await world.promise;
  let list: string | undefined;
  if (question.do === "resume") {
    churn.resume();
    weather.resume();
  } else if (question.do === "pause" && weather.pause()) {
    await churn.pause();
    list = await listAll(client, question.deep);
  }
  const { writes, deletions } = churn;
  const { blackouts } = weather;
  const rss = process.memoryUsage.rss();
  return { access, list, writes, deletions, connections: proxy.accepted, blackouts, rss };
});

async function start({ seed, objects, writesPerSecond, calm }: Extract<AskWorld, { do: "start" }>) {
  const server = await startApiServer({ log: (line) => console.error(line) });
  const random = createRandom(seed);
  const fates = random.fork("fates");
  const proxy = await startTcpProxy({ port: server.port, fate: () => (calm ? {} : drawSoakFate(fates)) });
  const client = createClient(server.kubeConfig(), { userAgent: "churn" });
  const churn = await startChurn(client, random.fork("churn"), { objects, writesPerSecond });
  const weather = calm
    ? { blackouts: 0, pause: () => true, resume: () => {} }
    : startWeather(proxy, random.fork("weather"));
  const { caCertificate, token } = server;
  return {
    access: { url: `https://127.0.0.1:${proxy.port}`, caCertificate, token },
    client,
    churn,
    weather,
    proxy,
  };
}

async function listAll(client: Client, deep: boolean): Promise<string> {
  const lines: string[] = [];
  let token: string | undefined;
  do {
    const page = await client
      .resource(configMaps)
      .namespace(namespace)
      .list({ limit: 1_000, continue: token });
    for (const object of page.items) {
      const { uid, resourceVersion } = object.metadata ?? {};
      const whole = { apiVersion: "v1", kind: "ConfigMap", ...object };
      lines.push(`${keyOf(object)} ${uid} ${resourceVersion} ${deep ? digest(whole) : ""}`);
    }
    token = page.metadata.continue;
  } while (token);
  return lines.join("\n");
}
