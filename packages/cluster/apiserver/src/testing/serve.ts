/** Runs an API server in its own process, and reports its load on request. */
import { type ApiServerOptions, startApiServer } from "../server.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as Pick<ApiServerOptions, "limits" | "history">;
const server = await startApiServer({ ...options, log: (line) => console.error(line) });
// A turn's processor time. On a busy machine the time on the clock would say more of other programs.
let longestTurn = 0;
let turn = process.cpuUsage();
setInterval(() => {
  longestTurn = Math.max(longestTurn, millisecondsSince(turn));
  turn = process.cpuUsage();
}, 10).unref();
process.send?.({ port: server.port, token: server.token, caCertificate: server.caCertificate });
let before = process.cpuUsage();
process.on("message", () => {
  const sockets = process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  process.send?.({ memory: process.memoryUsage.rss(), longestTurn, cpu: millisecondsSince(before), sockets });
  longestTurn = 0;
  before = process.cpuUsage();
});
process.once("disconnect", () => void server.stop());

function millisecondsSince(past: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(past);
  return (user + system) / 1e3;
}
