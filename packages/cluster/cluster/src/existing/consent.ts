import { UserError } from "../user-error.ts";
import type { ExistingContext } from "./context.ts";

export interface Consent {
  /** What may be done was agreed to before. Default false. */
  readonly yes?: boolean;
  /** That the context's program authenticates was. Default false. */
  readonly allowExecPlugin?: boolean;
  /** That nobody verifies who answers was. Default false. */
  readonly allowInsecureTls?: boolean;
  /** Tells the person a line. */
  readonly say: (line: string) => void;
  /** Asks the person; true is yes. Absent, where nobody is there to be asked: then everything has to be agreed to before. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/**
 * Shows where a context leads, and asks before anything is sent there. An exec plugin and unverified TLS are questions of
 * their own, which `yes` does not answer.
 *
 * @throws UserError when somebody says no, and where nobody can be asked: it names the flag
 */
export async function askConsent(context: ExistingContext, o: Consent): Promise<void> {
  o.say(`context ${context.name}: ${context.server}, as ${context.user || "nobody"}`);
  if (context.insecure) {
    const what = context.server.startsWith("http://") ? "is not encrypted" : "is not verified (insecure TLS)";
    await agree(o, o.allowInsecureTls, "--allow-insecure-tls", `Who answers at ${context.server} ${what}.`);
  }
  if (context.execPlugin !== undefined) {
    const what = `The context authenticates by running \`${context.execPlugin}\` on this machine.`;
    await agree(o, o.allowExecPlugin, "--allow-exec-plugin", what);
  }
  const what = "Objects will be created there, namespaces and roles among them, and removed afterwards.";
  await agree(o, o.yes, "--yes", what);
}

async function agree(o: Consent, agreed: boolean | undefined, flag: string, what: string): Promise<void> {
  if (agreed) return;
  if (!o.ask) throw new UserError(`${what} Nobody is here to be asked: agree to it with ${flag}`);
  if (!(await o.ask(`${what} Go on?`))) throw new UserError("nothing was done");
}
