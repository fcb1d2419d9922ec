import type { ProcessContext } from "../../runtime/contracts.ts";
import { NginxConfigError } from "./config.ts";
import { type NginxServer, readServers } from "./servers.ts";

/** The servers of the container's configuration. @throws NginxConfigError */
export async function loadServers(context: ProcessContext): Promise<NginxServer[]> {
  const files = await context.container.filesystem();
  const servers = await readServers(
    "/etc/nginx/nginx.conf",
    (path) => files.readFile(path).catch(() => undefined),
    (path) => files.readdir(path).catch(() => []),
  );
  for (const { locations } of servers) {
    for (const { proxyPass } of locations) {
      if (proxyPass === undefined) continue;
      const host = URL.canParse(proxyPass) ? new URL(proxyPass).hostname : "";
      if (host === "") throw new NginxConfigError(`invalid URL prefix in "${proxyPass}"`);
      if (context.network.resolve(host) === undefined)
        throw new NginxConfigError(`host not found in upstream "${host}"`);
    }
  }
  return servers;
}
