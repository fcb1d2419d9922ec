import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@operator-path/client";

/** Who starts clusters for other processes of a test run. */
export interface Pool {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly token: string;
}

/** What it is asked for. */
export interface PoolRequest {
  readonly controllers: boolean;
}

/** What it answers. `config` is a kubeconfig. */
export interface PoolAnswer {
  readonly id: string;
  readonly config: string;
}

const variable = "OPERATOR_PATH_TEST_CLUSTERS";

/** The pool that the processes which are started from here on will find, or no longer. */
export function announcePool(env: NodeJS.ProcessEnv, pool: Pool | undefined): void {
  if (pool) env[variable] = JSON.stringify(pool);
  else delete env[variable];
}

/** The one of this test run, if it has one. */
export function poolOf(env: NodeJS.ProcessEnv): Pool | undefined {
  const text = env[variable];
  return text ? (JSON.parse(text) as Pool) : undefined;
}

/** @throws Error with what the pool says */
export async function startInPool({ url, token }: Pool, wanted: PoolRequest) {
  const headers = { authorization: `Bearer ${token}` };
  async function ask(method: string, path: string, body?: string): Promise<string> {
    // Not fetch, whose first call loads more than all of this takes. Nothing is left open for the test's process to wait for.
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
