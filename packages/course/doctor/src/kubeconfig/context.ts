import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { createClient, KubeConfig } from "@operator-path/client";
import { executablesOnPath, quote } from "@operator-path/tools";
import type { Mend } from "../finding.ts";
import type { Machine } from "../machine.ts";

/** A problem of a context that its files show. */
export interface ContextProblem {
  /**
   * broken: the cluster cannot be used. risky: it can, but not for long or not safely. note: worth knowing.
   */
  readonly kind: "broken" | "risky" | "note";
  /** A few words, for the table. */
  readonly short: string;
  readonly sentence: string;
  readonly mend?: Mend;
}

/** Certificates that end within this time are reported. In milliseconds. */
const expiresSoon = 7 * 24 * 60 * 60 * 1000;

/** Returns the problems of a context that need no request and no plugin to detect. */
export async function examineContext(
  name: string,
  config: KubeConfig,
  machine: Machine,
): Promise<ContextProblem[]> {
  const context = config.getContextObject(name);
  const cluster = context && config.getCluster(context.cluster);
  const user = context && config.getUser(context.user);
  if (!context) return [broken("missing", `No context is called ${name}.`)];
  if (!cluster)
    return [broken("no such cluster", `It names the cluster ${context.cluster}, which is missing.`)];
  const problems: ContextProblem[] = [];
  if (cluster.skipTLSVerify) {
    problems.push({
      kind: "risky",
      short: "insecure-skip-tls-verify",
      sentence: `Your client does not verify the certificate of ${cluster.server}: any machine in between can read your credentials.`,
      mend: {
        commands: [
          `kubectl config set-cluster ${quote(context.cluster)} \\`,
          "  --insecure-skip-tls-verify=false \\",
          "  --certificate-authority=CA.crt --embed-certs",
        ],
        words: [
          "CA.crt is the cluster's own certificate authority. Ask the administrator of the cluster for it.",
        ],
      },
    });
  }
  if (context.user !== "" && !user) {
    problems.push(broken("no such user", `It names the user ${context.user}, which is missing.`));
  }
  if (user?.certData || user?.certFile) problems.push(...(await certificate(name, user, machine)));
  const exec = user?.exec as { command?: unknown; installHint?: unknown } | undefined;
  if (typeof exec?.command === "string")
    problems.push(...(await plugin(exec.command, exec.installHint, machine)));
  if (!problems.some(({ kind }) => kind === "broken")) problems.push(...rejection(name, config, machine));
  return problems;
}

/**
 * Returns what the client rejects before its first request: the configuration of a plugin, or an invalid URL
 * of a server or proxy.
 */
function rejection(name: string, config: KubeConfig, { env }: Machine): ContextProblem[] {
  const own = new KubeConfig();
  own.loadFromOptions({ ...config, currentContext: name });
  try {
    void createClient(own, { environment: env }).close();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [broken("cannot be used", `${oneLine(message)}.`)];
  }
}

async function certificate(
  context: string,
  user: { readonly certData?: string; readonly certFile?: string },
  { now }: Machine,
): Promise<ContextProblem[]> {
  let ends: Date;
  try {
    const bytes = user.certFile ? await readFile(user.certFile) : Buffer.from(user.certData ?? "", "base64");
    ends = new Date(new X509Certificate(bytes).validTo);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      broken("unreadable certificate", `Its client certificate cannot be read: ${reason}.`, renew(context)),
    ];
  }
  const day = ends.toISOString().slice(0, 10);
  if (ends < now) {
    return [
      broken(`certificate expired ${day}`, `Its client certificate expired on ${day}.`, renew(context)),
    ];
  }
  if (ends.getTime() - now.getTime() > expiresSoon) return [];
  const sentence = `Its client certificate expires on ${day}.`;
  return [{ kind: "risky", short: `certificate expires ${day}`, sentence, mend: renew(context) }];
}

/** kind can write a new certificate. For other clusters only their owners can. */
function renew(context: string): Mend {
  const kind = /^kind-(.+)$/.exec(context)?.[1];
  if (kind) return { commands: [`kind export kubeconfig --name ${quote(kind)}`] };
  return { commands: [], words: ["Get a new kubeconfig from where this one came from."] };
}

async function plugin(command: string, hint: unknown, { env }: Machine): Promise<ContextProblem[]> {
  const found = isAbsolute(command)
    ? await executablesOnPath(command.split("/").at(-1) ?? "", {
        PATH: command.slice(0, command.lastIndexOf("/")) || "/",
      })
    : await executablesOnPath(command, env);
  // A plugin with a path relative to its kubeconfig is reported, but not searched.
  if (found.length === 0 && !command.startsWith(".")) {
    const words = typeof hint === "string" && hint !== "" ? [oneLine(hint)] : [`Install ${command}.`];
    return [
      broken(`no ${command}`, `It logs in with ${command}, which is not on the PATH.`, {
        commands: [],
        words,
      }),
    ];
  }
  return [
    {
      kind: "note",
      short: `runs ${command}`,
      sentence: `To log in, it runs the program ${command} as you, each time. Verify asks you first.`,
    },
  ];
}

function broken(short: string, sentence: string, mend?: Mend): ContextProblem {
  return { kind: "broken", short, sentence, ...(mend && { mend }) };
}

function oneLine(text: string): string {
  return text.split(/\s+/).join(" ").trim().slice(0, 300);
}
