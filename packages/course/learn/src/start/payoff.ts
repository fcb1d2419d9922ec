import { setTimeout as sleep } from "node:timers/promises";
import { wrapAnsi } from "fast-wrap-ansi";
import { colors } from "../colors.ts";
import { startOperator } from "./operator.ts";
import type { Session } from "./session.ts";
import { ask, mustShow, showCommand } from "./shown-command.ts";

/**
 * Shows the result of the first tutorial before any theory: a Pod without a shell, an operator, seven lines
 * of YAML, and then a shell in that Pod for the learner.
 */
export async function showPayoff(session: Session, undo: AsyncDisposableStack): Promise<void> {
  say("This is the payment service of an imaginary shop. Its image holds the program, and nothing else.");
  await mustShow("kubectl apply -f payment/payment.yaml", session);
  await mustShow("kubectl rollout status deployment/payment-1.0.0", session);
  await mustShow("kubectl get pods", session);
  const pod = await ask("kubectl get pods -l app=payment -o jsonpath={.items[0].metadata.name}", session);

  say("Something is wrong with it, and you want to look inside:");
  await showCommand(`kubectl exec -it ${pod} -- /bin/sh`, session);

  say(
    "No shell. So teach the cluster what a Podbuggertool is, and start an operator for it, here on this machine.",
  );
  await mustShow("kubectl apply -f podbuggertool/crd.yaml", session);
  console.log(`${colors.dim("$")} ${colors.bold("(cd podbuggertool && tsx src/main.ts) &")}`);
  await startOperator(session, undo);
  console.log("PodBuggerTool is watching");

  say("Seven lines ask it for a busybox in every Pod with the label app=payment:");
  await mustShow("cat podbuggertool/podbtool-payment.yaml", session);
  await mustShow("kubectl apply -f podbuggertool/podbtool-payment.yaml", session);
  await untilInstalled(pod, session);
  await mustShow("kubectl get pbt", session);

  say(
    `And there is your shell, beside the process. Try ${colors.cyan("ps")} and ${colors.cyan("ls /proc/1/root/app")}; ${colors.cyan("exit")} when you have seen enough.`,
  );
  await showCommand(`kubectl exec -it ${pod} -c ephemeral-busybox -- /bin/sh`, session);
}

/** Waits for the container, not for a line in the log. */
async function untilInstalled(pod: string, session: Session): Promise<void> {
  const state = "jsonpath={.status.ephemeralContainerStatuses[*].state.running.startedAt}";
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
    if ((await ask(`kubectl get pod ${pod} -o '${state}'`, session)) !== "") return;
    await sleep(200, undefined, { signal: session.signal });
  }
  throw new Error(`the operator has put no container into Pod ${pod} within a minute`);
}

function say(text: string): void {
  console.log(`\n${wrapAnsi(`${colors.green("◆")} ${text}`, process.stdout.columns || 80)}\n`);
}
