import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@operator-path/client";

/** Starts clusters for other processes of a test run. */
export interface Pool {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly token: string;
}

/** A request for a cluster. */
export interface PoolRequest {
  readonly controllers: boolean;
}

/** The response. `config` is a kubeconfig. */
export interface PoolAnswer {
  readonly id: string;
  readonly config: string;
}

const variable = "OPERATOR_PATH_TEST_CLUSTERS";

/** Announces the pool to processes that are started from now on. Undefined: withdraws it. */
export function announcePool(env: NodeJS.ProcessEnv, pool: Pool | undefined): void {
  if (pool) env[variable] = JSON.stringify(pool);
  else delete env[variable];
}

/** Returns the pool of this test run, if it has one. */
export function poolOf(env: NodeJS.ProcessEnv): Pool | undefined {
  const text = env[variable];
  return text ? (JSON.parse(text) as Pool) : undefined;
}

/** @throws Error with the pool's message */
export async function startInPool({ url, token }: Pool, wanted: PoolRequest) {
  const headers = { authorization: `Bearer ${token}` };
  async function ask(method: string, path: string, body?: string): Promise<string> {
    // fetch would load more on its first call than all of this takes. No connection stays open that would
    // delay the end of the test's process.
    const sent = request(url + path, { method, headers, agent: false });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new Error(`the test run's clusters: ${answer}`);
    return answer;
  }
  const { id, config } = JSON.parse(await ask("POST", "/", JSON.stringify(wanted))) as PoolAnswer;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(config);
  return {
    kubeConfig,
    async stop() {
      await ask("DELETE", `/${id}`);
    },
  };
}
