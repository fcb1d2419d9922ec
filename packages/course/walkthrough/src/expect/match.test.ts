import fc from "fast-check";
import { expect, test } from "vitest";
import { diffOutput } from "./difference.ts";
import { matchOutput } from "./match.ts";
import { noSamples, type Samples, substituteSamples } from "./samples.ts";

function match(
  expected: string,
  actual: string,
  options: { samples?: Samples; unordered?: boolean; orderedRows?: boolean; open?: boolean } = {},
) {
  return matchOutput(expected.split("\n"), actual.split("\n"), { samples: noSamples, ...options });
}

const pods = `NAME                       READY   STATUS    RESTARTS      AGE
payment-7c9d8b5f6-x2x4q    1/1     Running   1 (3s ago)    12s
store-5f6d8c9b7d-b8zkw     1/1     Running   0             12s`;

test("matches a table by shape, with rows in any order and any padding", () => {
  const actual = `NAME                      READY   STATUS    RESTARTS       AGE
store-66cd9dfc54-kd9zz    1/1     Running   0              88s
payment-868b74bb95-lc7fx  1/1     Running   1 (70s ago)    2m`;
  const result = match(pods, actual);
  expect(result?.samples.values.get("payment-7c9d8b5f6-x2x4q")).toBe("payment-868b74bb95-lc7fx");
  expect(result?.samples.values.get("payment-7c9d8b5f6")).toBe("payment-868b74bb95");
});

test.each([
  [
    "another status",
    "payment-868b74bb95-lc7fx  1/1     Run       1 (2s ago)   3d\nstore-66cd9dfc54-kd9zz  1/1  Running  0  3d",
  ],
  [
    "another name",
    "memcached-webhook  1/1     Running   1 (2s ago)   3d\nstore-66cd9dfc54-kd9zz  1/1  Running  0  3d",
  ],
  [
    "a row too many",
    "payment-868b74bb95-lc7fx  1/1  Running  1 (2s ago)  3d\nstore-66cd9dfc54-kd9zz  1/1  Running  0  3d\nweb  1/1  Running  0  1s",
  ],
  ["a row too few", "payment-868b74bb95-lc7fx  1/1  Running  1 (2s ago)  3d"],
  [
    "another count of restarts",
    "payment-868b74bb95-lc7fx  1/1  Running  2 (2s ago)  3d\nstore-66cd9dfc54-kd9zz  1/1  Running  0  3d",
  ],
])("rejects a table with %s", (_, rows) => {
  expect(match(pods, `NAME  READY  STATUS  RESTARTS  AGE\n${rows}`)).toBeUndefined();
});

test("binds a Service's address for later commands, but not <pending>", () => {
  const table = (address: string): string =>
    `NAME  TYPE          EXTERNAL-IP\nweb   LoadBalancer  ${address}`;
  const curl = "curl -s http://127.20.0.1:8080";
  const bound = match(table("127.20.0.1"), table("127.20.0.7"))?.samples ?? noSamples;
  expect(substituteSamples(curl, bound)).toBe("curl -s http://127.20.0.7:8080");
  const pending = match(table("127.20.0.1"), table("<pending>"))?.samples ?? noSamples;
  expect(substituteSamples(curl, pending)).toBe(curl);
  expect(match(table("<pending>"), table("127.20.0.7"))?.samples).toEqual(noSamples);
  expect(match(table("127.20.0.1"), table("<none>"))).toBeUndefined();
});

test("binds one sample to one object, and one object to one sample", () => {
  const samples = match("pod/payment-7c9d8b5f6-x2x4q", "pod/payment-868b74bb95-lc7fx")?.samples;
  expect(
    match("payment-7c9d8b5f6-x2x4q deleted", "payment-868b74bb95-lc7fx deleted", { samples }),
  ).toBeDefined();
  expect(
    match("payment-7c9d8b5f6-x2x4q deleted", "payment-868b74bb95-zzzzz deleted", { samples }),
  ).toBeUndefined();
  expect(
    match("payment-7c9d8b5f6-b2b4b deleted", "payment-868b74bb95-lc7fx deleted", { samples }),
  ).toBeUndefined();
  expect(
    match("payment-7c9d8b5f6-b2b4b deleted", "payment-868b74bb95-zzzzz deleted", { samples }),
  ).toBeDefined();
});

test("binds samples only if the whole output matches, and puts the learner's names into commands", () => {
  expect(
    match("pod/payment-7c9d8b5f6-x2x4q\nready", "pod/payment-868b74bb95-lc7fx\nnot ready"),
  ).toBeUndefined();
  const samples = match("pod/payment-7c9d8b5f6-x2x4q", "pod/payment-868b74bb95-lc7fx")?.samples ?? noSamples;
  const command =
    "kubectl logs payment-7c9d8b5f6-x2x4q; kubectl get rs payment-7c9d8b5f6; echo my-payment-7c9d8b5f6-x2x4q";
  expect(substituteSamples(command, samples)).toBe(
    "kubectl logs payment-868b74bb95-lc7fx; kubectl get rs payment-868b74bb95; echo my-payment-7c9d8b5f6-x2x4q",
  );
});

test("matches any lines, anything within a line, a bound name, and their escapes", () => {
  expect(match("a\n...\nz", "a\nb\nc\nz")).toBeDefined();
  expect(match("a\n...\nz", "a\nb\nc")).toBeUndefined();
  expect(match("port [..PORT..] of [..PORT..]", "port 81 of 81")).toBeDefined();
  expect(match("port [..PORT..] of [..PORT..]", "port 81 of 82")).toBeUndefined();
  expect(match("a [..] z", "a b c z")).toBeDefined();
  expect(match("\\[..]", "[..]")).toBeDefined();
  expect(match("\\[..]", "x")).toBeUndefined();
  expect(match("\\...", "...")).toBeDefined();
  expect(match("\\...", "a\nb")).toBeUndefined();
});

test("puts a forwarded port into later commands, and lets it change", () => {
  const command = "curl -k https://127.0.0.1:40123/metrics";
  let samples = noSamples;
  for (const port of [37111, 37222]) {
    const [expected, actual] = [40123, port].map((each) => `Forwarding from 127.0.0.1:${each} -> 8443`);
    samples = matchOutput([expected ?? ""], [actual ?? ""], { samples })?.samples ?? noSamples;
    expect(substituteSamples(command, samples)).toBe(`curl -k https://127.0.0.1:${port}/metrics`);
  }
});

test("allows more output from a running process only", () => {
  expect(match("started", "started\nworking", { open: true })?.consumed).toBe(1);
  expect(match("started", "started\nworking")).toBeUndefined();
});

test("matches two or more spaces with two or more or a tab, and one space with one", () => {
  const line = (gap: string) => `2026-11-22T00:10:07.124Z${gap}INFO${gap}Starting workers`;
  expect(match(line("  "), line("\t"))).toBeDefined();
  expect(match(line("\t"), line("\t"))).toBeDefined();
  expect(match(line("  "), line("    "))).toBeDefined();
  expect(match(line("  "), line(" "))).toBeUndefined();
});

test("keeps the order of a watch's rows", () => {
  const watch = "NAME    STATUS\nstore   Pending\nstore   Running";
  expect(
    match(watch, "NAME    STATUS\nstore   Running\nstore   Pending", { orderedRows: true }),
  ).toBeUndefined();
  expect(match(watch, "NAME    STATUS\nstore   Running\nstore   Pending")).toBeDefined();
});

test.each([
  [
    '{"type":"ADDED","object":{"metadata":{"name":"a"}}}',
    '{"type":"ADDED","object":{"kind":"Pod","metadata":{"uid":"x","name":"a"}}}',
  ],
  ['12:00:01 INFO reconciled {"tool": "a"}', '07:12:55 INFO reconciled {"tool":"a","ms":3}'],
  [
    'level=info msg="Starting workers" count=1',
    'time=2026-11-21T07:00:00Z level=info msg="Starting workers" count=1',
  ],
  ["I1121 07:00:01.123456   12345 main.go:12] done", "I0101 09:30:00.000001       1 main.go:12] done"],
])("a log record must have the fields that the page shows: %s", (expected, actual) => {
  expect(match(expected, actual)).toBeDefined();
  expect(match(actual, expected.replace(/ADDED|INFO|info|done/, "other"))).toBeUndefined();
});

test("matches Events of kubectl describe, repeated or not", () => {
  const expected =
    "Events:\n  Type    Reason     Age                From               Message\n  Normal  Scheduled  5s (x2 over 10s)   default-scheduler  ok\n  Normal  Pulled     5s                 kubelet            took 1.2s. Image size: 123 bytes.";
  const actual =
    "Events:\n  Type    Reason     Age   From               Message\n  Normal  Scheduled  61s   default-scheduler  ok\n  Normal  Pulled     2m    kubelet            took 90ms. Image size: 99 bytes.";
  expect(match(expected, actual)).toBeDefined();
});

test("every output matches itself with its wildcards escaped", () => {
  const line = fc.string().map((text) => text.trim().replaceAll(/\s/g, " "));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const escaped = lines.map((text) => text.replaceAll(/[\\[\]]/g, "\\$&").replace(/^\.\.\.$/, "\\..."));
      expect(matchOutput(escaped, lines, { samples: noSamples })).toBeDefined();
    }),
  );
});

test("reports a changed word as a difference of its line only", () => {
  const found = diffOutput(
    ["NAME   AGE", "web    3s", "done"],
    ["NAME   AGE", "web    9s", "gone"],
    noSamples,
  );
  expect(found.firstMissing).toBe(2);
  expect(found.lines.map(({ kind, text }) => kind + text)).toEqual([
    " NAME   AGE",
    " web    9s",
    "-done",
    "+gone",
  ]);
});
