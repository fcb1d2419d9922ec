import { expect, test } from "vitest";
import { conditionsOf, type HelmBench, longTimeout, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart, writeChart } from "./testing/charts.ts";

async function deployed(bench: HelmBench, name: string): Promise<void> {
  await patiently(async () => expect(conditionsOf(await bench.get(name))).toContain("Deployed=True"));
}

const replicas = async (bench: HelmBench) => (await bench.deployment("shop")).spec?.replicas;

test(
  "corrects a release after a manual upgrade, rollback or uninstall",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator();
    const chart = await writeChart(webChart);
    await bench.create("shop", { replicas: 2 });
    await deployed(bench, "shop");

    await bench.byHand("upgrade", "shop", chart, "--set", "replicas=7", "--force-conflicts");
    await patiently(async () =>
      expect((await bench.history("shop"))[0]).toMatchObject({ revision: 3, status: "deployed" }),
    );
    await patiently(async () => expect(await replicas(bench)).toBe(2));

    await bench.byHand("rollback", "shop", "2", "--force-conflicts");
    await patiently(async () =>
      expect((await bench.history("shop"))[0]).toMatchObject({ revision: 5, status: "deployed" }),
    );
    await patiently(async () => expect(await replicas(bench)).toBe(2));

    const before = processes.length;
    await bench.byHand("uninstall", "shop");
    await patiently(async () =>
      expect((await bench.history("shop"))[0]).toMatchObject({ revision: 1, status: "deployed" }),
    );
    await patiently(async () => expect(await replicas(bench)).toBe(2));
    expect(processes.slice(before)).toEqual(["dry run", "install"]);
  },
  longTimeout,
);

test(
  "returns to the chart's value when an object's value is removed",
  async () => {
    const bench = await startHelmBench();
    await bench.operator();
    await bench.create("shop", { replicas: 3 });
    await deployed(bench, "shop");
    await bench.change("shop", { replicas: null });
    await patiently(async () => expect(await replicas(bench)).toBe(1));
    await patiently(async () =>
      expect((await bench.history("shop"))[0]).toMatchObject({ revision: 2, status: "deployed", values: {} }),
    );
  },
  longTimeout,
);

test(
  "keeps maxReleaseHistory revisions, one of them deployed",
  async () => {
    const bench = await startHelmBench();
    await bench.operator({ maxReleaseHistory: 3 });
    await bench.create("shop");
    await deployed(bench, "shop");
    for (const replicas of [2, 3, 4, 5]) {
      await bench.change("shop", { replicas });
      await patiently(async () =>
        expect((await bench.history("shop"))[0]).toMatchObject({ values: { replicas }, status: "deployed" }),
      );
    }
    const history = await bench.history("shop");
    expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual([
      "5 deployed",
      "4 superseded",
      "3 superseded",
    ]);
  },
  longTimeout,
);

const lookup = {
  ...webChart,
  // Keeps an existing value, as charts do with passwords.
  "templates/secret.yaml": `{{- $old := lookup "v1" "Secret" .Release.Namespace (printf "%s-password" .Release.Name) }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-password
data:
  {{- if $old }}
  password: {{ $old.data.password }}
  {{- else }}
  password: {{ randAlphaNum 16 | b64enc }}
  {{- end }}
`,
};
const random = {
  ...webChart,
  "templates/secret.yaml": `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-password
data:
  password: {{ randAlphaNum 16 | b64enc }}
`,
};

test.each([
  ["looks up existing objects", lookup, ["version", "dry run"]],
  ["renders something else each time", random, ["version", "dry run", "dry run"]],
])(
  "does not keep upgrading a chart that %s",
  async (_, files, looks) => {
    const bench = await startHelmBench();
    const first = await bench.operator({ files });
    await bench.create("shop");
    await deployed(bench, "shop");
    await first.stop();
    expect(first.processes).toEqual(["version", "dry run", "install"]);

    // A new operator, without the memory of the first.
    const second = await bench.operator({ files });
    await bench.create("other");
    await deployed(bench, "other");
    await patiently(() => expect(second.processes).toHaveLength(looks.length + 2));
    expect(second.processes.toSorted()).toEqual([...looks, "dry run", "install"].toSorted());
    expect(await bench.history("shop")).toHaveLength(1);

    await bench.change("shop", { replicas: 2 });
    await patiently(async () => expect(await replicas(bench)).toBe(2));
    expect(await bench.history("shop")).toHaveLength(2);
  },
  longTimeout,
);
