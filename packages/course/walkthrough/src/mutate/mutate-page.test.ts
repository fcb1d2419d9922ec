import { expect, test } from "vitest";
import { parsePage } from "../page/parse.ts";
import { dropEachStep } from "./mutate-page.ts";

const page = parsePage(
  `---
title: Test
---

## Everywhere

~~~console
$ kubectl apply -f a.yaml
~~~

## On kind

~~~console provider=kind
$ kind create cluster
~~~

## Only read

~~~console
$ kubectl get pods
$ pnpm exec operator-path checklist
$ kubectl apply -f a.yaml --dry-run=server
$ curl -sk https://127.0.0.1:40123/mutate --data @review.json
~~~
`.replaceAll("~~~", "```"),
  "page.md",
);

test("leaves out steps that change only the clusters of other providers", () => {
  const names = (provider?: string) => dropEachStep(page, provider).map(({ name }) => name);
  expect(names()).toEqual(['without the step "everywhere"']);
  expect(names("kind")).toEqual(['without the step "everywhere"', 'without the step "on-kind"']);
});

test("leaves out a command that answers a question", () => {
  const asks = parsePage(
    "---\ntitle: T\n---\n\n## S\n\nWhat will it print? <!-- question -->\n\n~~~console\n$ make run\nhello\n~~~\n\n## End\n".replaceAll(
      "~~~",
      "```",
    ),
    "page.md",
  );
  const [mutation] = dropEachStep(asks);
  expect(mutation?.page.steps[0]?.blocks).toEqual([]);
});
