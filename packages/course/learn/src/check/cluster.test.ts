import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { parsePage } from "@operator-path/walkthrough";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { catchUp } from "../catch-up/catch-up.ts";
import { changeFinished, withSteps } from "../finished-steps.ts";
import { type LearnerProject, learnerProject, sumFiles } from "../testing/learner-project.ts";
import { until } from "../testing/until.ts";
import { checkWork } from "./check.ts";
import { missingFiles } from "./missing-objects.ts";
import { sessionClusterVariable } from "./session-cluster.ts";

const map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: greeting\ndata:\n  text: hello\n";
const page = `---
title: Greeting
requires: [kubectl]
project: p
---

## The map

[map.yaml](p/map.yaml)

~~~yaml file
${map}~~~

~~~console
$ kubectl apply -f map.yaml
configmap/greeting created
$ kubectl get configmap greeting -o jsonpath='{.data.text}'
hello
~~~

## Another text

~~~console
$ kubectl patch configmap greeting -p '{"data":{"text":"bye"}}'
configmap/greeting patched
$ kubectl get configmap greeting -o jsonpath='{.data.text}'
bye
~~~

## Clean up
`;

let cluster: EmbeddedCluster;
let kubectl: string;
let learner: LearnerProject;
beforeAll(async () => {
  [cluster, { path: kubectl }] = await Promise.all([startEmbeddedCluster(), findTool("kubectl")]);
});
afterAll(() => cluster.stop());
beforeEach(async () => {
  learner = await learnerProject({ "1-greeting.md": page });
  await writeFile(join(learner.project, "pnpm-lock.yaml"), "");
});
afterEach(async () => {
  await learner[Symbol.asyncDispose]();
  await kube("delete", "configmap", "greeting", "--ignore-not-found");
});

const kube = (...args: string[]) =>
  execa(kubectl, args, { env: { KUBECONFIG: cluster.kubeconfigPath }, reject: false });
const create = (text: string) => kube("create", "configmap", "greeting", `--from-literal=text=${text}`);
const patch = (text: string) =>
  kube("patch", "configmap", "greeting", "-p", JSON.stringify({ data: { text } }));
const session = (own = cluster.kubeconfigPath) => ({
  env: {
    PATH: `${dirname(kubectl)}:${process.env.PATH}`,
    HOME: learner.root,
    KUBECONFIG: cluster.kubeconfigPath,
    [sessionClusterVariable]: own,
  },
});
const check = (step?: string, more = session()) => learner.run((options) => checkWork(step, options), more);

describe("the cluster", () => {
  it("is compared with the output of the finished step, and with later ones that change no file", async () => {
    await learner.write({ "map.yaml": map });
    const missing = await check();
    expect(missing.status).toBe(1);
    expect(missing.said).toContain('configmaps "greeting" not found');
    expect(missing.said).toContain("the page expects these objects");
    await create("hello");
    expect((await check()).status).toBe(0);
    await patch("bye");
    expect((await check()).status).toBe(0);
    await patch("hi");
    const wrong = await check();
    expect(wrong.status).toBe(1);
    expect(wrong.said).toContain('the cluster shows "hi", the page expects "hello"');
    expect(wrong.said).toContain("1-greeting.md:24");
  });

  it("names an image of the project that a Pod waits for, and no other", async () => {
    await learner.write({ "map.yaml": map, Makefile: "IMG ?= operator:v1\n" });
    for (const name of ["operator", "other"])
      await kube("run", name, `--image=registry.test/${name}:v2`, "--image-pull-policy=Never");
    const waiting = async () => (await kube("get", "pods", "-o", "yaml")).stdout.split("ErrImageNeverPull");
    await until(async () => (await waiting()).length > 2);
    expect((await check()).said).toContain(
      "A Pod waits for the image registry.test/operator:v2 of your project",
    );
    await kube("delete", "pod", "operator", "--now");
    expect((await check()).said).not.toContain("A Pod waits");
    await kube("delete", "pod", "other", "--now");
  });

  it("must be that of a named step", async () => {
    await learner.write({ "map.yaml": map });
    await create("hello");
    expect((await check("1")).status).toBe(0);
    expect((await check("another text")).said).toContain('shows "hello", the page expects "bye"');
  });

  it("need not match a later step, and its problem is that of the step above it", async () => {
    await learner.write({ "map.yaml": map });
    await create("hi");
    const changed = page.replace(/\$ kubectl get configmap greeting.*\nhello\n/, "");
    const unread = changed.replace("apply -f map.yaml", "create -f map.yaml");
    await using other = await learnerProject({ "1-greeting.md": unread });
    await other.write({ "map.yaml": map });
    const { status, said } = await other.run((options) => checkWork(undefined, options), session());
    expect(said).toContain('Right so far: step 1 of 3, "The map"');
    expect(status).toBe(0);

    // A later step that the menu has recorded.
    await create("hello");
    await patch("bye");
    expect((await check("another text")).status).toBe(0);
    await patch("hi");
    const wrong = await check();
    expect(wrong.said).toMatch(/^step 1 of 3, "The map" .*\n✗ .*Run the commands of "The map"/s);
  });

  it("is quoted once, and names of the page's own objects are not expected", async () => {
    const pod = '"added sh to payment-1.0.0-cd94d9759-m5cjx"';
    const named = page.replace(/(jsonpath='\{\.data\.text\}'\n)hello\n/, `$1${pod}\n`);
    await using other = await learnerProject({ "1-greeting.md": named });
    await other.write({ "map.yaml": map });
    await create("none");
    const { said } = await other.run((options) => checkWork("1", options), session());
    expect(said).toContain(
      'the cluster shows "none", the page expects `"added sh to <any Pod of payment-1.0.0>"`',
    );
  });

  it("is not that of a later step which shows only objects of an earlier one", async () => {
    const again = "## Once more\n\n~~~console\n$ kubectl apply -f map.yaml\n...\n~~~\n\n";
    const two = map.replace("name: greeting", "name: answer");
    const tutorial = page.replace(
      "## Another text",
      `## Two\n\n[two.yaml](p/two.yaml)\n\n~~~yaml file\n${two}~~~\n\n~~~console\n$ kubectl apply -f two.yaml\n...\n~~~\n\n${again}## Another text`,
    );
    await using other = await learnerProject({ "1-greeting.md": tutorial });
    await other.write({ "map.yaml": map, "two.yaml": two });
    await create("hello");
    const { said } = await other.run((options) => checkWork(undefined, options), session());
    expect(said).toContain('Run the commands of "Two"');
  });

  it("does not match a step that leaves the cluster unchanged, which is offered with the next one", async () => {
    const back =
      "~~~console\n$ kubectl delete configmap greeting\n...\n$ kubectl apply -f map.yaml\n...\n~~~\n\n";
    const tutorial = page
      .replace(/\$ kubectl get configmap greeting.*\nhello\n/, "$ kubectl create configmap other\n...\n")
      .replace("## Another text", `## There and back\n\n${back}## Another text`)
      .replace(
        "## Clean up",
        `## A file\n\n[two.yaml](p/two.yaml)\n\n~~~yaml file\n${map}~~~\n\n## Clean up`,
      );
    await using other = await learnerProject({ "1-greeting.md": tutorial });
    await other.write({ "map.yaml": map });
    await create("hello");
    const checkOther = async (step?: string) =>
      (await other.run((options) => checkWork(step, options), session())).said;
    const said = await checkOther();
    expect(said).toContain('Right so far: step 1 of 5, "The map"');
    expect(said).toMatch(/Next: "There and back" \(.*\), then "Another text" \(/);
    expect(said).toContain("When you have, type `check there-and-back`.");
    expect(await checkOther("there-and-back")).toContain('Right so far: step 2 of 5, "There and back"');
    const after = await checkOther();
    expect(after).toContain('Right so far: step 2 of 5, "There and back"');
    expect(after).toMatch(/Next: "Another text" \(/);
  });

  it("lacks nothing after Clean up", async () => {
    await learner.write({ "map.yaml": map });
    const { status, said } = await check("clean-up");
    expect({ status, said }).toMatchObject({ status: 0, said: expect.not.stringContaining("map.yaml") });
  });

  it("must have lost what Clean up deletes", async () => {
    const cleans = `${page}~~~console\n$ kubectl delete configmap greeting --ignore-not-found\n...\n~~~\n`;
    await using other = await learnerProject({ "1-greeting.md": cleans });
    await other.write({ "map.yaml": map });
    const checkEnd = () => other.run((options) => checkWork("clean-up", options), session());
    await create("hello");
    const { status, said } = await checkEnd();
    expect(said).toContain("the cluster still has configmap/greeting");
    expect(said).toContain('Run the commands of "Clean up"');
    expect(status).toBe(1);
    await kube("delete", "configmap", "greeting");
    expect((await checkEnd()).status).toBe(0);
  });

  it("is not compared after the page's last step, also if a step above it is not recorded", async () => {
    await learner.write({ "map.yaml": map });
    expect((await check()).said).toContain("not found");
    await changeFinished(learner.workshops, (before) =>
      withSteps(before, "01-sum/1", "done", ["another-text", "clean-up"]),
    );
    expect(await check()).toMatchObject({ status: 0, said: expect.stringContaining("The page is finished") });
  });

  it("is not compared after the page's last step, also if that had another name", async () => {
    const renamed = page.replace("project: p\n", "project: p\naliases: {tidy-up: clean-up}\n");
    await using other = await learnerProject({ "1-greeting.md": renamed });
    await other.write({ "map.yaml": map });
    await changeFinished(other.workshops, (before) => withSteps(before, "01-sum/1", "done", ["tidy-up"]));
    const { said } = await other.run((options) => checkWork(undefined, options), session());
    expect(said).toContain("The page is finished");
  });

  it("is not read outside of the session's shell", async () => {
    await learner.write({ "map.yaml": map });
    expect((await check(undefined, session("/another/config"))).status).toBe(0);
  });
});

it("may differ because of a file that no test covers, so that is shown", async () => {
  const main = `[src/main.ts](p/src/main.ts)\n\n~~~ts file\n${sumFiles.program["src/main.ts"]}~~~\n\n`;
  const files = { ...sumFiles.setup, "src/add.ts": sumFiles.add["src/add.ts"] };
  const blocks = Object.entries(files).map(
    ([file, text]) => `[${file}](p/${file})\n\n~~~ts file\n${text}~~~\n\n`,
  );
  const running = "~~~console terminal=program running\n$ node src/main.ts\n3\n~~~\n\n";
  const tutorial = page.replace("[map.yaml]", `${blocks.join("")}${main}${running}[map.yaml]`);
  await using other = await learnerProject({ "1-greeting.md": tutorial });
  const typo = sumFiles.program["src/main.ts"].replace("2)", "3)");
  await other.write({ ...files, "src/main.ts": typo, "map.yaml": map });
  const { said } = await other.run((options) => checkWork(undefined, options), session());
  expect(said).toContain(
    "src/main.ts:3 differs from the page's, and no test covers it (- yours, + the page's):",
  );
  expect(said).toContain("+ console.log(add(1, 2));\n  If that is a mistake, correct it. If not: ");
  expect(said).toContain("see what your program prints in its terminal.");
  expect(said).not.toContain("Your files are right");
});

it("misses the objects of a step that ends with an apply", async () => {
  const last = `${page.slice(0, page.indexOf("$ kubectl get"))}$ kubectl apply -f none.yaml\n? 1\n~~~\n`;
  await using other = await learnerProject({ "1-greeting.md": last });
  await other.write({ "map.yaml": map });
  const missing = await other.run((options) => checkWork(undefined, options), session());
  expect(missing.status).toBe(1);
  expect(missing.said).toContain("not found`, the page expects these objects");
  await create("other");
  expect((await other.run((options) => checkWork(undefined, options), session())).status).toBe(0);
});

describe("an earlier command that the learner has not run", () => {
  const skipped = page
    .replace(/\$ kubectl get configmap greeting.*\nhello\n/, "")
    .replace("## Another text\n", `## A second map\n\n[two.yaml](p/two.yaml)\n\n~~~yaml file\n${map}~~~\n`);
  const checkWith = async (text: string, tutorial = skipped) => {
    await using other = await learnerProject({ "1-greeting.md": tutorial });
    await other.write({ "map.yaml": map, "two.yaml": text });
    return await other.run((options) => checkWork(undefined, options), session());
  };

  it("is named with its step and its file when a later command shows something else", async () => {
    const { said, status } = await checkWith(map);
    expect(said).toContain(
      'Your files are right. If you have cleaned up already, you are done: `check clean-up`. If not: Step 1, "The map", applies map.yaml, which the cluster does not have. Run its command (1-greeting.md:21)',
    );
    expect(status).toBe(1);
    await create("hi");
    expect((await checkWith(map)).said).toContain('Run the commands of "A second map"');
  });

  it("is a note if the step has no command to compare", async () => {
    const silent = skipped.replace(/\$ kubectl get configmap greeting.*\nbye\n/, "");
    const { said, status } = await checkWith(map, silent);
    expect(said).toContain(
      '\n  Step 1, "The map", applies map.yaml, which the cluster does not have: run its command (1-greeting.md:21).',
    );
    expect(status).toBe(0);
    await create("hi");
    expect((await checkWith(map, silent)).said).not.toContain("applies");
  });

  it("is no note if the next step deletes its objects: the learner may have run that", async () => {
    const deleted = skipped
      .replace(/\$ kubectl get configmap greeting.*\nbye\n/, "")
      .replace("## Clean up", "## Gone\n\n~~~console\n$ kubectl delete -f map.yaml\n...\n~~~\n\n## Clean up");
    expect((await checkWith(map, deleted)).said).not.toContain("applies");
  });
});

it("is not missing the objects of a kustomization that a later step has added to it", async () => {
  const kustomization = "resources:\n  - map.yaml\n";
  const toy = "apiVersion: example.com/v2\nkind: Toy\nmetadata:\n  name: ball\n";
  const file = (path: string, text: string) => `[${path}](p/${path})\n\n~~~yaml file\n${text}~~~\n\n`;
  const begin = `${file("maps/kustomization.yaml", kustomization)}${file("maps/map.yaml", map)}`;
  const edit =
    "[maps/kustomization.yaml](p/maps/kustomization.yaml)\n\n~~~diff\n   - map.yaml\n+  - toy.yaml\n~~~\n\n";
  const tutorial = `---
title: Greeting
requires: [kubectl]
project: p
---

## The map

${begin}~~~console
$ kubectl apply -k maps
configmap/greeting created
~~~

## A toy

${edit}${file("maps/toy.yaml", toy)}
## Clean up
`;
  await using other = await learnerProject({ "1-greeting.md": tutorial });
  const files = { "maps/kustomization.yaml": `${kustomization}  - toy.yaml\n`, "maps/map.yaml": map };
  await other.write({ ...files, "maps/toy.yaml": toy });
  const checkOther = () => other.run((options) => checkWork(undefined, options), session());
  expect((await checkOther()).said).toContain("applies maps, which the cluster does not have");
  await create("hi");
  const { said, status } = await checkOther();
  expect(said).toContain('Right so far: step 2 of 3, "A toy"');
  expect({ said, status }).toMatchObject({ said: expect.not.stringContaining("does not have"), status: 0 });
});

it("names the missing files of the steps above a line that a failed command names", async () => {
  await using other = await learnerProject({ "1-greeting.md": page });
  const shown = parsePage(page.replaceAll("~~~", "```"), "/tutorials/01-sum/1-greeting.md");
  const missing = (line: number, text: string) => missingFiles(shown, line, other.project, text);
  const said = 'Step 1, "The map", writes map.yaml, but you do not have it';
  expect(missing(30, 'error: the path "map.yaml" does not exist')).toEqual([said]);
  expect(missing(30, "error: unknown")).toEqual([]);
  expect(missing(5, 'error: the path "map.yaml" does not exist')).toEqual([]);
  await other.write({ "map.yaml": map });
  expect(missing(30, 'error: the path "map.yaml" does not exist')).toEqual([]);
});

it("names a missing package.json when pnpm fails", () => {
  const text = "---\ntitle: T\nproject: p\n---\n## Begin\n\n`package.json`\n```json file\n{}\n```\n";
  const shown = parsePage(text, "/tutorials/01-sum/1-greeting.md");
  const missing = (command: string) => missingFiles(shown, 20, "/no/folder", command);
  expect(missing("pnpm install\nNo projects found")).toEqual([
    'Step 1, "Begin", writes package.json, but you do not have it',
  ]);
  expect(missing("kubectl get pods")).toEqual([]);
});

describe("a command with a shell variable", () => {
  const checkWith = async (command: string) => {
    const read = `$ ${command}\n~~~\n`;
    const start = page.slice(0, page.indexOf("$ kubectl get"));
    await using other = await learnerProject({ "1-greeting.md": `${start}${read}` });
    await other.write({ "map.yaml": map });
    await create("hello");
    return await other.run((options) => checkWork(undefined, options), session());
  };
  const text = "-o jsonpath='{.data.text}'";

  it.each([
    ["a name", "MAP=greeting\n$ kubectl apply -f map.yaml\n"],
    ["an exported name", "export MAP=greeting\n$ kubectl apply -f map.yaml\n"],
    ["a quoted name of another variable", `PART=greet\n$ MAP="\${PART}ing"\n$ kubectl apply -f map.yaml\n`],
    [
      "the output of a read",
      "MAP=$(kubectl get configmap greeting \\\n    -o jsonpath='{.metadata.name}')\n",
    ],
  ])("has the value that the page gives it: %s", async (_, before) => {
    const wrong = await checkWith(`${before}$ kubectl get configmap $MAP ${text}\nbye`);
    expect(wrong.said).toContain('the cluster shows "hello", the page expects "bye"');
    expect(wrong.status).toBe(1);
  });

  it.each([
    ["the page does not set it", "kubectl apply -f map.yaml\n"],
    ["it is set for one command only", "MAP=greeting kubectl apply -f map.yaml\n"],
    ["a command that changes something gives it", "MAP=$(kubectl create token default)\n"],
    ["its value is a sample", "MAP=127.0.0.1:40123\n"],
    ["its value is empty now", "MAP=$(kubectl get configmap none --ignore-not-found -o name)\n"],
  ])("is not run if %s", async (_, before) => {
    const { said, status } = await checkWith(`${before}$ kubectl get configmap $MAP ${text}\nbye`);
    expect(said).toContain("Right so far");
    expect(status).toBe(0);
  });
});

describe("catch-up", () => {
  it("makes the objects of the page, and only on the session's cluster", async () => {
    const elsewhere = await learner.run((options) => catchUp("1", options), session("/another/config"));
    expect(elsewhere.said).toContain("No objects were applied");
    expect((await kube("get", "configmap", "greeting")).stderr).toContain("not found");
    const { status, said } = await learner.run((options) => catchUp("1", options), session());
    expect(said).toContain("$ kubectl apply -f map.yaml");
    expect(said).toContain("configmap/greeting created");
    expect(status).toBe(0);
    expect(said).not.toContain("kubectl patch");
    expect((await kube("get", "configmap", "greeting", "-o", "jsonpath={.data.text}")).stdout).toBe("hello");
    expect((await check("1")).status).toBe(0);
    expect((await learner.run((options) => catchUp("2", options), session())).said).toMatch(
      /Still yours to run.*\n(?: {2}.*\n)* {2}\$ kubectl patch configmap greeting .* \(1-greeting\.md:\d+, terminal 1\)\n?/,
    );
  });

  it("leaves an object that a later command has changed, and makes it if it is missing", async () => {
    const catchUpTo = (step?: string) => learner.run((options) => catchUp(step, options), session());
    const text = async () =>
      (await kube("get", "configmap", "greeting", "-o", "jsonpath={.data.text}")).stdout;
    await create("bye");
    expect((await catchUpTo("2")).said).not.toContain("$ kubectl apply");
    expect(await text()).toBe("bye");
    await catchUpTo("1");
    expect(await text()).toBe("hello");
    await kube("delete", "configmap", "greeting");
    expect((await catchUpTo("2")).said).toContain("configmap/greeting created");
  });

  it("completes a step whose objects are missing, and goes no further", async () => {
    await learner.write({ "map.yaml": map });
    const { said } = await learner.run((options) => catchUp(undefined, options), session());
    expect(said).toContain("To go further, name a step: `catch-up another-text`.");
    expect(said).toContain('You are at the end of step 1 of 3, "The map"');
    expect((await learner.run((options) => catchUp(undefined, options), session())).said).toContain("step 2");
  });

  it("leaves a custom resource that the learner has changed, if only objects are asked for", async () => {
    const toy = (size: number) =>
      `apiVersion: shop.example.com/v1\nkind: Toy\nmetadata:\n  name: bear\nspec:\n  size: ${size}\n`;
    const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: toys.shop.example.com
spec:
  group: shop.example.com
  names: { kind: Toy, plural: toys, singular: toy }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
    const file = (name: string, text: string) =>
      `[${name}](p/${name})\n\n~~~yaml file\n${text}~~~\n\n~~~console\n$ kubectl apply -f ${name}\n...\n~~~\n\n`;
    await using other = await learnerProject({
      "1-greeting.md": page.replace(
        "## Another text",
        `${file("crd.yaml", crd)}${file("toy.yaml", toy(3))}## Another text`,
      ),
    });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    await other.run((options) => catchUp("1", options), session());
    const size = async () => (await kube("get", "toy", "bear", "-o", "jsonpath={.spec.size}")).stdout;
    expect(await size()).toBe("3");
    await kube("patch", "toy", "bear", "--type", "merge", "-p", '{"spec":{"size":5}}');
    const again = () => other.run((options) => catchUp("1", { ...options, objects: true }), session());
    expect((await again()).said).toContain("crd.yaml");
    expect(await size()).toBe("5");
    await kube("delete", "toy", "bear");
    await again();
    expect(await size()).toBe("3");
    await kube("delete", "crd", "toys.shop.example.com");
  });

  it("says how to name a further step that has no file, if only objects are asked for", async () => {
    await learner.write({ "map.yaml": map });
    const only = (step?: string) =>
      learner.run((options) => catchUp(step, { ...options, objects: true }), session());
    const { said } = await only();
    expect(said).toContain('The cluster has the page\'s objects up to step 1 of 3, "The map".');
    expect(said).toContain("If you were further, name your step, as in `catch-up --objects another-text`.");
    expect((await only("another-text")).said).not.toContain("If you were further");
  });

  it("says how to make the objects whose kind a command of the learner's installs", async () => {
    const toy = "apiVersion: shop.example.com/v1\nkind: Toy\nmetadata:\n  name: bear\n";
    const step = `## Toys\n\n[toy.yaml](p/toy.yaml)\n\n~~~yaml file\n${toy}~~~\n\n~~~console\n$ make deploy\n...\n$ kubectl apply -f toy.yaml\n...\n~~~\n\n`;
    await using other = await learnerProject({
      "1-greeting.md": page.replace("## Clean up", `${step}## Clean up`),
    });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const { status, said } = await other.run((options) => catchUp("toys", options), session());
    expect(said).toMatch(
      /no matches for kind "Toy".*\n {2}\$ make deploy .*\nAfter that, `catch-up --objects toys` makes the objects that failed above\.$/s,
    );
    expect(status).toBe(1);
  });

  it("names the command that deletes an object, if the cluster still has it", async () => {
    const gone = "## Gone\n\n~~~console\n$ kubectl delete configmap greeting --wait=false\n...\n~~~\n\n";
    await using other = await learnerProject({
      "1-greeting.md": page.replace("## Clean up", `${gone}## Clean up`),
    });
    await writeFile(join(other.project, "pnpm-lock.yaml"), "");
    const catchUpTo = () => other.run((options) => catchUp("gone", options), session());
    expect((await catchUpTo()).said).not.toContain("delete");
    await create("bye");
    const listed = /Still yours to run.*\n(?: {2}.*\n)* {2}\$ kubectl delete configmap greeting --wait=false/;
    expect((await catchUpTo()).said).toMatch(listed);
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "1" };
    const owned = JSON.stringify({ metadata: { ownerReferences: [owner] } });
    await kube("patch", "configmap", "greeting", "-p", owned);
    expect((await catchUpTo()).said).not.toContain("delete");
  });
});
