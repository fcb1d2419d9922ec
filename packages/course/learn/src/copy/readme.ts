import type { Identity } from "./identity.ts";
import { librariesFolder } from "./libraries.ts";
import type { Files } from "./rename.ts";

const libraries = `## The libraries

The packages of \`@operator-path\` are not published yet. They come from the tarballs in \`${librariesFolder}/\`: npm finds them through \`package.json\`,
pnpm through \`pnpm-workspace.yaml\`. Once they are published, give each a version in \`package.json\`, remove \`overrides\` from both files,
remove \`${librariesFolder}/\` and the lockfiles, and install again.

With an older Node on your machine npm warns of \`EBADENGINE\`. That is harmless: the project runs on the Node that it has installed.

\`LICENSE\` covers them, and the code that you started from.`;

/** Returns the README.md of a copy: how to develop and deploy it, and what is still an example. */
export function readmeOf({ name, kind }: Identity, files: Files, placeholder: boolean): string {
  const makefile = files.get("Makefile")?.toString() ?? "";
  const scripts = scriptsOf(files);
  const has = (target: string): boolean => new RegExp(`^${target}:`, "m").test(makefile);
  const samples = [...files.keys()]
    .filter((path) => /^[^/]*-[^/]*\.yaml$/.test(path) && !path.startsWith("pnpm-"))
    .sort();
  const apply = files.has("config/samples/kustomization.yaml")
    ? "-k config/samples"
    : samples[0] && `-f ${samples[0]}`;
  const develop = [
    scripts.size > 0 &&
      "npx --yes pnpm@12 install    # or npm install; brings the Node 26 that everything here runs on",
    has("install") ? "make install" : files.has("crd.yaml") && "kubectl apply -f crd.yaml",
    has("run") ? "make run" : scripts.has("start") && "npm start",
    apply && `kubectl apply ${apply}`,
    has("test") ? "make test" : scripts.has("test") && "npm test",
    has("lint") ? "make lint" : scripts.has("typecheck") && "npm run typecheck",
  ].filter((line) => typeof line === "string");
  const image = `IMG=registry.example/${name}:v0.0.1`;
  const deploy = [`make docker-build docker-push ${image}`, `make deploy ${image}`, "make undeploy"];
  const hasKind = [...files.values()].some((bytes) => bytes.includes(kind));
  const todo = [
    "this file: say what your operator does",
    ...(placeholder
      ? [`the workload: ${controllerOf(files)} starts a program that only waits; start yours instead`]
      : []),
    ...(hasKind && !placeholder ? [`the code: it still does for a ${kind} what the example did`] : []),
    ...(hasKind ? [] : ["an API: create one with `npx operator-sdk create api`"]),
    ...(makefile.includes("your-account")
      ? ["`your-account` in the Makefile: the registry account of your images"]
      : []),
  ];
  const helm = [...files.keys()].some((path) => path.startsWith("helm-charts/")) ? " a helm," : "";
  const sections = [
    `# ${name}\n\nAn operator in TypeScript${hasKind ? `, for the kind ${kind}` : ""}.`,
    `Still to change:\n\n${todo.map((one) => `- ${one}`).join("\n")}`,
    `## Develop\n\nNode 20 or newer with its npm, a kubectl,${helm} and a cluster that the current context names.\n\n${fence(develop)}`,
    ...(has("deploy") ? [`## Deploy\n\n${fence(deploy)}`] : []),
    libraries,
  ];
  return `${sections.join("\n\n")}\n`;
}

function fence(lines: readonly string[]): string {
  return `\`\`\`\n${lines.join("\n")}\n\`\`\``;
}

function scriptsOf(files: Files): ReadonlySet<string> {
  const { scripts = {} } = JSON.parse(files.get("package.json")?.toString() ?? "{}") as { scripts?: object };
  return new Set(Object.keys(scripts));
}

function controllerOf(files: Files): string {
  const found = [...files.keys()].find((path) => /^controllers\/.*\.controller\.ts$/.test(path));
  return `\`${found ?? "controllers/"}\``;
}
