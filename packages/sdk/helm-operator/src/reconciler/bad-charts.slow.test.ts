// Values that a chart cannot be rendered with: the object reports helm's message, and nothing else happens.
import { expect, test } from "vitest";
import { conditionsOf, longTimeout, messageOf, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

const files = {
  ...webChart,
  "values.schema.json": JSON.stringify({ properties: { replicas: { type: "integer", minimum: 0 } } }),
  "templates/_helpers.tpl": `{{- define "web.loop" }}{{ include "web.loop" . }}{{ end }}\n`,
  "templates/bad.yaml": `{{- if eq .Values.bad "nil" }}{{ .Values.a.b.c }}{{ end }}
{{- if eq .Values.bad "fail" }}{{ fail "say a colour: red, say" }}{{ end }}
{{- if eq .Values.bad "required" }}{{ required "owner.name: say whose it is" .Values.owner }}{{ end }}
{{- if eq .Values.bad "loop" }}{{ include "web.loop" . }}{{ end }}
{{- if eq .Values.bad "yaml" }}
data: [
{{- end }}
{{- if eq .Values.bad "version" }}
kind: ConfigMap
metadata:
  name: bad
{{- end }}
`,
  "values.yaml": `${webChart["values.yaml"]}bad: none\n`,
};

test.each([
  ["nil in a template", "nil", "web/templates/bad.yaml:1:"],
  ["a failing `fail`", "fail", "say a colour: red, say"],
  ["a value that `required` misses", "required", "owner.name: say whose it is"],
  ["a template that includes itself", "loop", "rendering template has a nested reference name: web.loop"],
  ["output that is not YAML", "yaml", "YAML parse error on web/templates/bad.yaml"],
  ["an object without an apiVersion", "version", "apiVersion not set"],
  ["a value that the schema rejects", "schema", "at '/replicas': minimum: got -1, want 0"],
])(
  "reports %s in helm's words, and changes nothing",
  async (_, bad, words) => {
    const bench = await startHelmBench();
    const { processes, writes } = await bench.operator({ files });
    const spec = bad === "schema" ? { replicas: -1 } : { bad };
    // Without a release, too.
    await bench.create("never", spec);
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    const history = await bench.history("shop");
    const { generation } = (await bench.deployment("shop")).metadata ?? {};
    await bench.change("shop", spec);
    for (const name of ["shop", "never"]) {
      await patiently(async () =>
        expect(messageOf(await bench.get(name), "Irreconcilable")).toContain(words),
      );
    }
    expect(processes.filter((operation) => operation === "install" || operation === "upgrade")).toEqual([
      "install",
    ]);
    expect(writes().filter((write) => / never$/.test(write) && !/^patch webs/.test(write))).toEqual([]);
    expect(await bench.history("shop")).toEqual(history);
    expect(await bench.history("never")).toEqual([]);
    expect((await bench.deployment("shop")).metadata?.generation).toBe(generation);

    await bench.change("never", { bad: "none", replicas: 2 });
    await patiently(async () => expect((await bench.deployment("never")).spec?.replicas).toBe(2));
  },
  longTimeout,
);
