import type { ProcessContext } from "../runtime/program.ts";
import { failed, ok, type Tool } from "./tools.ts";

/** Clients of the simulated network: wget, curl, nslookup. Nothing leaves the process. */
export function httpTools(context: ProcessContext): Record<string, Tool> {
  const { network } = context;
  const parse = (text: string) => {
    try {
      const url = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
      const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
      return { host: url.hostname, port, path: url.pathname + url.search };
    } catch {
      return undefined;
    }
  };
  const get = async (host: string, port: number, path: string, agent: string, method = "GET", body = "") => {
    const listener = network.connect(host, port);
    if (!listener) return undefined;
    return listener.http?.({ method, path, headers: { host, "user-agent": agent }, body, from: network.ip });
  };
  return {
    wget: async (args) => {
      const address = args.find((word) => !word.startsWith("-") && !/^(-|\d+)$/.test(word));
      const url = address === undefined ? undefined : parse(address);
      if (!url) return failed("wget: missing URL\n");
      const quiet = args.some((word) => /^-\w*q/.test(word));
      const toStdout =
        args.some((word) => /^-\w*O-$/.test(word)) ||
        args.some((word, i) => /^-\w*O$/.test(word) && args[i + 1] === "-") ||
        args.includes("--spider");
      const shown = `${url.host}${url.port === 80 ? "" : `:${url.port}`}`;
      if (!network.knows(url.host)) return failed(`wget: bad address '${shown}'\n`);
      const note = quiet ? "" : `Connecting to ${url.host}:${url.port} (${network.ip}:${url.port})\n`;
      const answer = await get(url.host, url.port, url.path, "Wget");
      if (!answer) return failed(`${note}wget: can't connect to remote host: Connection refused\n`);
      if (answer.status >= 400)
        return failed(
          `${note}wget: server returned error: HTTP/1.1 ${answer.status} ${STATUS[answer.status] ?? ""}\n`,
        );
      if (args.includes("--spider")) return { ...ok(""), stderr: `${note}remote file exists\n` };
      if (toStdout)
        return { ...ok(answer.body), stderr: quiet ? "" : `${note}writing to stdout\nwritten to stdout\n` };
      const name = url.path.slice(url.path.lastIndexOf("/") + 1).split("?")[0] || "index.html";
      const files = await context.container.filesystem();
      await files.writeFile(files.resolvePath(context.process.cwd, name), answer.body);
      return { ...ok(""), stderr: quiet ? "" : `${note}saving to '${name}'\n'${name}' saved\n` };
    },
    curl: async (args) => {
      const address = args.find(
        (word, index) => !word.startsWith("-") && !/^-(o|H|X|d|m|w)$/.test(args[index - 1] ?? ""),
      );
      const url = address === undefined ? undefined : parse(address);
      if (!url) return failed("curl: try 'curl --help' for more information\n", 2);
      const silent = args.some((word) => /^-\w*s/.test(word));
      const says = (text: string, code: number) =>
        failed(silent && !args.some((word) => /^-\w*S/.test(word)) ? "" : text, code);
      if (!network.knows(url.host)) return says(`curl: (6) Could not resolve host: ${url.host}\n`, 6);
      const method = args[args.indexOf("-X") + 1];
      const answer = await get(
        url.host,
        url.port,
        url.path,
        "curl",
        args.includes("-X") && method ? method : "GET",
      );
      if (!answer)
        return says(
          `curl: (7) Failed to connect to ${url.host} port ${url.port} after 0 ms: Couldn't connect to server\n`,
          7,
        );
      if (answer.status >= 400 && args.some((word) => /^-\w*f/.test(word)))
        return says(`curl: (22) The requested URL returned error: ${answer.status}\n`, 22);
      const head = args.some((word) => /^-\w*[iI]/.test(word))
        ? `HTTP/1.1 ${answer.status} ${STATUS[answer.status] ?? ""}\r\n\r\n`
        : "";
      return ok(head + (args.some((word) => /^-\w*I/.test(word)) ? "" : answer.body));
    },
    nslookup: ([name = ""]) =>
      network.knows(name)
        ? ok(`Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\nName:\t${name}\nAddress: ${network.ip}\n\n`)
        : {
            stdout: `Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n** server can't find ${name}: NXDOMAIN\n\n`,
            stderr: "",
            exitCode: 1,
          },
  };
}

const STATUS: Record<number, string> = {
  200: "OK",
  204: "No Content",
  301: "Moved Permanently",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
