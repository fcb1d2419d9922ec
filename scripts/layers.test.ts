import { expect, test } from "vitest";
import { checkLayers, type Layers } from "./house/layer-rules.ts";
import { readModule } from "./house/source-module.ts";

const layers: Layers = {
  sources: "p/src",
  order: ["lib", "server", "kinds"],
  isolated: { "lib/json": [], "lib/cel": ["lib/json"] },
};

const check = (texts: Readonly<Record<string, string>>): string[] =>
  checkLayers(
    Object.entries(texts).map(([file, text]) => readModule(`p/src/${file}`, text)),
    layers,
  );

test("allows imports that point down or stay in their layer", () => {
  const problems = check({
    "main.ts": `import "./kinds/pod.ts"; import "./bootstrap.ts"; import "pino";`,
    "kinds/pod.ts": `import type { Store } from "../server/store.ts"; import "../lib/clock.ts";`,
    "server/http/routes.ts": `import "../store.ts"; import "../../lib/cel/parser.ts";`,
    "lib/cel/parser.ts": `import "../json/json.ts"; import "./ast.ts";`,
  });
  expect(problems).toEqual([]);
});

test("finds imports that point up, also for types", () => {
  const problems = check({
    "server/api.ts": `import "./store.ts";\nimport type { Pod } from "../kinds/pod.ts";`,
    "kinds/pod.ts": `export { main } from "../main.ts";`,
  });
  expect(problems).toEqual([
    "p/src/server/api.ts:2 imports kinds/pod.ts: it is above server, and imports point down: lib < server < kinds",
    "p/src/kinds/pod.ts:1 imports main.ts: it is above kinds, and imports point down: lib < server < kinds",
  ]);
});

test("finds imports that leave an isolated folder", () => {
  const problems = check({
    "lib/cel/parser.ts": `import "../clock.ts";`,
    "lib/json/json.ts": `import "../cel/ast.ts";`,
  });
  expect(problems).toEqual([
    "p/src/lib/cel/parser.ts:1 imports lib/clock.ts: lib/cel may import only lib/json",
    "p/src/lib/json/json.ts:1 imports lib/cel/ast.ts: lib/json may import no other folder",
  ]);
});

test("lets tests import everything, and nothing else import what is for tests", () => {
  const problems = check({
    "lib/json/json.test.ts": `import "../../kinds/pod.ts"; import "../../testing/serve.ts";`,
    "testing/serve.ts": `import "../kinds/pod.ts";`,
    "kinds/pod.ts": `import "../testing/serve.ts";`,
  });
  expect(problems).toEqual(["p/src/kinds/pod.ts:1 imports testing/serve.ts: only tests may import it"]);
});
