// Kills helm in the middle of each of its operations, as happens when its operator is killed.
import { expect, test } from "vitest";
import { helmAnnotations } from "./annotations.ts";
import { conditionsOf, type HelmBench, longTimeout, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

const files = {
  ...webChart,
  "values.yaml": `${webChart["values.yaml"]}hang: false\n`,
  // This cluster runs no Jobs, so helm waits for it.
  "templates/hook.yaml": `{{- if .Values.hang }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: pre-install,pre-upgrade,pre-rollback,pre-delete
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: hook
          image: busybox
{{- end }}
`,
};

const hanging = ["--set", "hang=true"];
const revisionsOf = async (bench: HelmBench) =>
  (await bench.history("shop")).map(({ revision, status }) => `${revision} ${status}`);

test.each([
  {
    operation: "install",
    before: [],
    killed: (chart: string) => ["install", "shop", chart, ...hanging],
    left: "1 pending-install",
    processes: ["version", "uninstall", "dry run", "install"],
  },
  {
    operation: "upgrade",
    before: [(chart: string) => ["install", "shop", chart]],
    killed: (chart: string) => ["upgrade", "shop", chart, ...hanging],
    left: "2 pending-upgrade",
    processes: ["version", "rollback", "dry run"],
  },
  {
    operation: "rollback",
    before: [
      (chart: string) => ["install", "shop", chart, ...hanging, "--no-hooks"],
      (chart: string) => ["upgrade", "shop", chart, "--reset-values", "--no-hooks"],
    ],
    killed: () => ["rollback", "shop", "1"],
    left: "3 pending-rollback",
    processes: ["version", "rollback", "dry run"],
  },
  {
    operation: "uninstall",
    before: [(chart: string) => ["install", "shop", chart, ...hanging, "--no-hooks"]],
    killed: () => ["uninstall", "shop"],
    left: "1 uninstalling",
    processes: ["version", "uninstall", "dry run", "install"],
  },
])(
  "recovers from a helm that was killed during $operation",
  async ({ before, killed, left, processes: expected }) => {
    const bench = await startHelmBench();
    const chart = await writeChart(files);
    for (const command of before) await bench.byHand(...command(chart));
    await bench.kill(killed(chart), async () => expect((await revisionsOf(bench))[0]).toBe(left));

    const { processes } = await bench.operator({ files, pendingPatience: 0 });
    await bench.create("shop", {}, { annotations: { [helmAnnotations.uninstallDisableHooks]: "true" } });
    await patiently(async () => {
      const conditions = conditionsOf(await bench.get("shop"));
      expect(conditions).toEqual(expect.arrayContaining(["Deployed=True", "Irreconcilable=False"]));
    });
    expect(processes).toEqual(expected);
    const deployed = (await revisionsOf(bench)).filter((revision) => revision.endsWith(" deployed"));
    expect(deployed).toHaveLength(1);
    expect((await bench.history("shop"))[0]).toMatchObject({ status: "deployed" });
    expect((await bench.deployment("shop")).spec?.replicas).toBe(1);
  },
  longTimeout,
);

test(
  "repeats an upgrade that was stopped with its operator",
  async () => {
    const bench = await startHelmBench();
    const first = await bench.operator({ files });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.change("shop", { hang: true, replicas: 2 });
    await patiently(async () => expect((await revisionsOf(bench))[0]).toBe("2 pending-upgrade"));
    await first.stop();
    expect((await revisionsOf(bench))[0]).toBe("2 failed");

    await bench.annotate("shop", { [helmAnnotations.upgradeDisableHooks]: "true" });
    const { processes } = await bench.operator({ files });
    await patiently(async () => expect((await revisionsOf(bench))[0]).toBe("3 deployed"));
    expect(processes).toEqual(["version", "dry run", "upgrade"]);
    expect((await bench.deployment("shop")).spec?.replicas).toBe(2);
  },
  longTimeout,
);
