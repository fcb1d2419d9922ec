/** Runs in a process of its own, with --expose-gc: the informers, and nothing else that uses memory. */
import { kubeConfigOf } from "@operator-path/apiserver";
import { type ConfigMap, configMaps, createClient } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";
import { namespace } from "./churn.ts";
import { differences, type Expected, parseList } from "./compare.ts";
import type { Access, AskSubject, Sample, SubjectAnswer } from "./messages.ts";
import { answerParent } from "./part.ts";
import { createReplay } from "./replay.ts";

const wrong: string[] = [];
let failures = 0;
process.on("unhandledRejection", (reason) => wrong.push(`unhandled rejection: ${reason}`));

const informers: ReturnType<typeof startInformer>[] = [];

answerParent<AskSubject, SubjectAnswer>(async (question) => {
  switch (question.do) {
    case "start": {
      const stores = ["parsed", "lazy"] as const;
      informers.push(...stores.map((store) => startInformer(store, question.access, question.silence)));
      await Promise.all(informers.map(({ informer }) => informer.waitForSync()));
      return answer({});
    }
    case "sample":
      return answer({ sample: await takeSample() });
    case "compare": {
      const began = performance.now();
      const expected = parseList(question.list);
      for (const each of informers) await settle(each, expected, began + question.within, question.deep);
      return answer({ settled: performance.now() - began });
    }
  }
});

function answer(said: Omit<SubjectAnswer, "wrong">): SubjectAnswer {
  return { ...said, wrong: [...wrong, ...informers.flatMap(({ replay }) => replay.wrong)] };
}

function startInformer(store: "parsed" | "lazy", access: Access, silence: number) {
  const client = createClient(kubeConfigOf(access), { userAgent: `soak-${store}`, timeout: 20_000 });
  const replay = createReplay<ConfigMap>();
  const log = (line: string) => {
    if (line.includes("handler")) wrong.push(line);
    else failures++;
  };
  const informer = createSharedInformer(client, configMaps, { namespace, store, silence, log });
  informer.addEventHandler(store === "lazy" ? replay.changeHandler : replay.objectHandler);
  void informer.run(new AbortController().signal);
  return { store, informer, replay };
}

/** Waits until handler and cache equal the list, and reports the differences that remain. */
async function settle(
  { store, informer, replay }: (typeof informers)[number],
  expected: Expected,
  until: number,
  deep: boolean,
): Promise<void> {
  const problems = () => differences(expected.versions, replay.state());
  while (problems().length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  wrong.push(...problems().map((line) => `${store}, handler: ${line}`));
  wrong.push(...expected.compare(informer.lister.list(), deep).map((line) => `${store}, cache: ${line}`));
}

async function takeSample(): Promise<Sample> {
  for (let i = 0; i < 2; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  return {
    heapUsed,
    external,
    rss,
    sockets: resources.filter((name) => /TCP/.test(name)).length,
    timers: resources.filter((name) => name === "Timeout").length,
    events: informers.reduce((sum, { replay }) => sum + replay.events, 0),
    failures,
  };
}
