/** Runs an API server in its own process, and reports its load on request. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type ApiServerOptions, startApiServer } from "../server.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as Pick<ApiServerOptions, "limits" | "history">;
const server = await startApiServer({ ...options, log: (line) => console.error(line) });
const turns = monitorEventLoopDelay({ resolution: 10 });
turns.enable();
process.send?.({ port: server.port, token: server.token, caCertificate: server.caCertificate });
let before = process.cpuUsage();
process.on("message", () => {
  const { user, system } = process.cpuUsage(before);
  const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const longestTurn = turns.max / 1e6;
  process.send?.({ memory: process.memoryUsage.rss(), longestTurn, cpu: (user + system) / 1e3, sockets });
  turns.reset();
  before = process.cpuUsage();
});
process.once("disconnect", () => void server.stop());
