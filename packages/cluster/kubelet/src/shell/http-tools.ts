import type { ProcessContext } from "../runtime/contracts.ts";
import { curl } from "./curl.ts";
import { parseUrl, reasonPhrase, send } from "./http-client.ts";
import { netcatTool } from "./netcat.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** Clients of the simulated network: wget, curl, nc, nslookup. Nothing leaves the process. */
export function httpTools(context: ProcessContext): Record<string, Tool> {
  const { network } = context;
  return {
    wget: async (args) => {
      const address = args.find((word) => !word.startsWith("-") && !/^(-|\d+)$/.test(word));
      const url = address === undefined ? undefined : parseUrl(address);
      if (!url) return failed("wget: missing URL\n");
      const quiet = args.some((word) => /^-\w*q/.test(word));
      const toStdout =
        args.some((word) => /^-\w*O-$/.test(word)) ||
        args.some((word, i) => /^-\w*O$/.test(word) && args[i + 1] === "-") ||
        args.includes("--spider");
      const shown = `${url.host}${url.port === 80 ? "" : `:${url.port}`}`;
      const [ip] = network.resolve(url.host) ?? [];
      if (ip === undefined) return failed(`wget: bad address '${shown}'\n`);
      const note = quiet ? "" : `Connecting to ${url.host}:${url.port} (${ip}:${url.port})\n`;
      const answer = await send(context, url, { agent: "Wget" });
      if (!answer) return failed(`${note}wget: can't connect to remote host: Connection refused\n`);
      if (answer.status >= 400)
        return failed(
          `${note}wget: server returned error: HTTP/1.1 ${answer.status} ${reasonPhrase(answer.status)}\n`,
        );
      if (args.includes("--spider")) return { ...ok(""), stderr: `${note}remote file exists\n` };
      if (toStdout)
        return { ...ok(answer.body), stderr: quiet ? "" : `${note}writing to stdout\nwritten to stdout\n` };
      const name = url.path.slice(url.path.lastIndexOf("/") + 1).split("?")[0] || "index.html";
      const files = await context.container.filesystem();
      await files.writeFile(files.resolvePath(context.process.cwd, name), answer.body);
      return { ...ok(""), stderr: quiet ? "" : `${note}saving to '${name}'\n'${name}' saved\n` };
    },
    curl: (args) => curl(context, args),
    nc: netcatTool(context),
    nslookup: ([name = ""]) => {
      const addresses = network.resolve(name);
      const server = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n";
      if (addresses !== undefined)
        return ok(`${server}${addresses.map((ip) => `Name:\t${name}\nAddress: ${ip}\n`).join("")}\n`);
      return { stdout: `${server}** server can't find ${name}: NXDOMAIN\n\n`, stderr: "", exitCode: 1 };
    },
  };
}
