import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseValues } from "../chart/load-chart.ts";
import type { JsonObject } from "../json.ts";
import { coalesceValues } from "./coalesce-values.ts";
import { overrideValues, setValues } from "./set-values.ts";

let folder: string;
let helm: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "values-"));
  helm = (await findTool("helm")).path;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let charts = 0;

/** Returns what a template of a chart with these defaults sees as .Values; "refused" when helm fails. */
async function seenByTemplates(options: {
  defaults?: string;
  values?: JsonObject;
  set?: readonly string[];
}): Promise<unknown> {
  const chart = join(folder, `chart-${charts++}`);
  await mkdir(join(chart, "templates"), { recursive: true });
  await writeFile(join(chart, "Chart.yaml"), "apiVersion: v2\nname: seen\nversion: 1.0.0\n");
  await writeFile(join(chart, "values.yaml"), options.defaults ?? "{}\n");
  await writeFile(join(chart, "templates/seen.yaml"), "kind: Seen\nvalues: {{ toJson .Values | b64enc }}\n");
  const file = join(chart, "given.json");
  await writeFile(file, JSON.stringify(options.values ?? {}));
  const flags = (options.set ?? []).flatMap((line) => ["--set", line]);
  const { exitCode, stdout } = await execa(helm, ["template", "seen", chart, "--values", file, ...flags], {
    env: { HOME: folder, PATH: "", GOGC: "off", GOMEMLIMIT: "256MiB" },
    extendEnv: false,
    reject: false,
  });
  if (exitCode !== 0) return "refused";
  const [, encoded = ""] = /^values: (\S+)$/m.exec(stdout) ?? [];
  return JSON.parse(Buffer.from(encoded, "base64").toString());
}

function orRefused(make: () => JsonObject): unknown {
  try {
    return make();
  } catch {
    return "refused";
  }
}

const base: JsonObject = {
  text: "text",
  none: null,
  list: [{ name: "first", port: 1 }, "second", [1, 2]],
  image: { repository: "nginx", tag: "1.27", pull: { policy: "Always" } },
  "dotted.key": 1,
};

describe("setValues does what helm --set does", () => {
  it.each([
    // Paths.
    "a=1",
    "a.b.c=1",
    "image.tag=1.28",
    "image.pull.policy=Never",
    "image=none",
    "image.pull=",
    "list=none",
    "list[0]=none",
    "list[0].port=8080",
    "list[1].name=second",
    "list[2][1]=3",
    "list[2][4]=5",
    "list[5]=sixth",
    "list[4].name=fifth",
    "new[2]=third",
    "new[0].a.b[1].c=deep",
    "new[1][1][1]=cube",
    "dotted\\.key=2",
    "dotted.key=2",
    "a\\=b=c",
    "a\\[0\\]=c",
    "a\\,b=c",
    "a b=c",
    "__proto__=1",
    "__proto__.polluted=yes",
    "constructor.prototype.polluted=yes",
    "=nothing",
    ".a=1",
    "text=null",
    // Lists.
    "a={1,two,true,null}",
    "a={}",
    "a={ a , b }",
    "a={a\\,b,c}",
    "a={a}b=1",
    "a={a},b=1",
    "list[0]={a,b}",
    "list={}",
    "a={1,2",
    "a={1,{2}}",
    // Several.
    "a=1,b=2",
    "a=1,a=2",
    "a=1,",
    "a=1,b",
    "a,b=1",
    "a.b=1,a.c=2",
    "new[0].a=1,new[0].b=2,new[1].a=3",
    // Without a value, or with a path that leads nowhere.
    "a",
    "a.b",
    "a.=1",
    "a.",
    "a[0]",
    "a[0].b=",
    "list[0].name=",
    "list[1].name=",
    "list[0].",
    "a[x]=1",
    "a[]=1",
    "a[-1]=1",
    "a[65537]=1",
    "a[0]b=1",
    "text.b=1",
    "text[0]=1",
    "none.b=1",
    "none[0]=1",
    "list.a=1",
    "image[0]=1",
    "list[1][0]=1",
    `${"a.".repeat(30)}b=1`,
    `${"a.".repeat(31)}b=1`,
  ])("%s", async (line) => {
    expect(orRefused(() => setValues(base, line))).toEqual(
      await seenByTemplates({ values: base, set: [line] }),
    );
  });

  it("with values of any type", async () => {
    const texts = [
      "",
      "true",
      "TRUE",
      "False",
      "yes",
      "null",
      "Null",
      "~",
      "0",
      "-0",
      "007",
      "-7",
      "+7",
      "1.5",
      "1e3",
      "0x10",
      "1_000",
      "9007199254740991",
      "9223372036854775808",
      "99999999999999999999",
      " 1",
      "1 ",
      '"1"',
      "x=y",
      "[1]",
      '{"b":1}',
      "b\\,c",
      "b\\\\c",
      "\\{b\\}",
      "C:\\\\temp",
      "é€",
      "b\\",
    ];
    // One process for all of them.
    const set = texts.map((text, i) => `text${i}=${text}`);
    expect(set.reduce(setValues, {})).toEqual(await seenByTemplates({ set }));
  });

  it("one after the other, as overrideValues applies them", async () => {
    const overrides = {
      "image.tag": "1.28",
      "list[0].port": "8080",
      "image.pull": "null",
      list: "{a,b}",
      a: "1,b=2",
    };
    const set = Object.entries(overrides).map(([path, value]) => `${path}=${value}`);
    expect(overrideValues(base, overrides)).toEqual(await seenByTemplates({ values: base, set }));
  });

  it("except for an unclosed bracket, which helm ignores with all that follows", async () => {
    expect(await seenByTemplates({ values: base, set: ["a=1,list[0=2,b=3"] })).toEqual({ ...base, a: 1 });
    expect(() => setValues(base, "a=1,list[0=2,b=3")).toThrow('the bracket before "0=2,b=3" is not closed');
  });

  it("except for whole numbers that a values file does not keep", async () => {
    expect(() => setValues({}, "a=9007199254740993")).toThrow("9007199254740993 is beyond 2^53");
    expect(await seenByTemplates({ set: ["a=9007199254740993"] })).not.toBe("refused");
  });
});

describe("coalesceValues does what helm does before it renders", () => {
  const defaults =
    "a: 1\nb: {c: 1, d: {e: 1, f: 2}, n: null}\nl: [{x: 1, n: null}, 2]\nn: null\nt: {}\ne: ''\nf: false\n";
  it.each<[string, JsonObject, string?]>([
    ["nothing", {}],
    ["a value", { a: 2 }],
    ["a value of another type", { a: "text", l: "none", e: 0, f: "no" }],
    ["a value that is falsy", { a: 0, b: { c: "", d: { e: false } } }],
    ["a table that is merged", { b: { c: 2, d: { g: 3 } } }],
    ["a table that is empty", { b: {}, t: {} }],
    ["a list that is replaced", { l: [] }],
    ["a list with nulls", { l: [null, { x: null }] }],
    ["a key of its own", { own: { x: [1] } }],
    ["a table over a text", { a: { x: 1 }, e: { y: 2 } }],
    ["a text over a table", { b: "text", t: 1 }],
    ["null over a number", { a: null }],
    ["null over a table", { b: null }],
    ["null over a list", { l: null }],
    ["null over null", { n: null, b: { n: null } }],
    ["null over nothing", { x: null, b: { x: null, d: { x: null } }, own: { x: null } }],
    ["null within a table", { b: { c: null, d: { e: null } } }],
    ["null over a table within a table", { b: { d: null } }],
    ["a value over null", { n: 1, b: { n: { x: null } } }],
    ["keys that objects inherit", JSON.parse('{"__proto__":{"a":1},"constructor":null,"b":{"__proto__":2}}')],
    ["nothing, over defaults with anchors", {}, "x: &x {a: 1, n: null}\ny: {<<: *x, b: 2}\nz: *x\n"],
    [
      "nothing, over defaults as YAML 1.1 has them",
      {},
      "a: yes\nb: off\nc: 012\nd: 1:30\ne: 2026-01-02\nf: 1e3\ng: ~\n8: x\ntrue: y\n",
    ],
    ["nothing, over defaults with a key that stands twice", {}, "a: 1\na: 2\n"],
    ["nothing, over two documents of defaults", {}, "a: 1\nb: {c: 1}\n---\nb: {d: 2}\ne: 3\n"],
    ["a value, over no defaults", { a: 1 }, "# nothing\n"],
  ])("%s", async (_title, values, text = defaults) => {
    const ours = coalesceValues(parseValues(text, "values.yaml"), values);
    expect(ours).toEqual(await seenByTemplates({ defaults: text, values }));
  });
});
