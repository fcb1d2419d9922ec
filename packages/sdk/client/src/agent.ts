import * as http from "node:http";
import * as https from "node:https";

/**
 * Milliseconds of silence after which the kernel probes the other end of a connection, as in client-go. Node probes ten times,
 * once a second. Then the connection ends with ETIMEDOUT.
 */
export const keepAliveDelay = 30_000;

/** An agent of one server. Not the one that client-node has made: that keeps no connection, and its first credentials for ever. */
export function createAgent(options: https.AgentOptions, secure: boolean): http.Agent {
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  // Its connections are all alike: the name that Node makes for each request holds every certificate as text.
  return Object.assign(agent, { getName: () => "server" });
}
