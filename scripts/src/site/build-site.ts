import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { packedLinks, readPublication, repositoryPage } from "@operator-path/operator-sdk";
import {
  Application,
  type Context,
  Converter,
  type DeclarationReflection,
  DefaultTheme,
  type DocumentationEntryPoint,
  DocumentReflection,
  Logger,
  LogLevel,
  MinimalSourceFile,
  type NavigationElement,
  type NormalizedPath,
  normalizePath,
  type ProjectReflection,
  type Reflection,
  ReflectionGroup,
  StructureRouter,
  type TypeDocOptions,
  TypeScript as ts,
} from "typedoc";
import { checkPages } from "./check-pages.ts";

/** Exceptions to the site's checks. An exception that is no longer needed is an error, so the lists only shrink. */
export interface Exemptions {
  /** Functions, classes, methods and types without a docstring, by their full names. */
  readonly undocumented: readonly string[];
  /** Types that a public type refers to and no index exports, by package. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
}

/** What a site shows. All paths are relative to the root of the repository, with forward slashes. */
export interface SiteContents {
  /** The Markdown file of the home page. */
  readonly home: string;
  /** The groups of Markdown pages, in the order of the navigation: by title, the files. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** The folders of the packages, in the order of the navigation. Their `exports` are the entry points. */
  readonly packages: readonly string[];
  readonly exemptions: Exemptions;
}

export interface BuildSiteOptions extends SiteContents {
  /** The root of the repository, which has `tsconfig.base.json` and `package.json`. */
  readonly root: string;
  /** The folder of the site. It is emptied first. */
  readonly out: string;
}

interface EntryPoint {
  /** As an importer writes it: `@operator-path/client/types`. */
  readonly name: string;
  readonly source: string;
  /** Only of a package's main entry point. */
  readonly folder: string | undefined;
}

/**
 * Builds the API reference and the pages as static HTML, which loads nothing from outside.
 *
 * @returns what is wrong, a line each: a public symbol without a docstring, a public type that no index exports, a link
 * that leads nowhere, an asset from outside. Empty when the site may be published.
 * @throws Error when a package's `exports` name a source that does not exist, or a file of `pages` is missing
 */
export async function buildSite(options: BuildSiteOptions): Promise<string[]> {
  const { root, out, packages } = options;
  const entryPoints = packages.flatMap((folder) => entryPointsOf(root, folder));
  const problems: string[] = [];
  const application = await Application.bootstrap({
    ...settings(root),
    packagesRequiringDocumentation: names(entryPoints),
  });
  application.renderer.defineRouter("site", SiteRouter);
  application.renderer.defineTheme("site", SiteTheme);
  application.logger = collectInto(problems);
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) =>
    addMarkdown(application, context.project, options, entryPoints, problems),
  );
  const project = application.converter.convert(programOf(root, entryPoints));
  arrange(project, options, entryPoints);
  application.options.setValue("intentionallyNotDocumented", [
    ...options.exemptions.undocumented,
    ...generatedWithoutDocs(project, entryPoints),
  ]);
  validate(application, project, names(entryPoints), options.exemptions);
  for (const path of project.files.getMediaPaths())
    if (!isImage(path))
      problems.push(`a page links to ${path.slice(root.length + 1)}, which is not a page of the site`);
  await application.generateDocs(project, out);
  return [...problems, ...checkPages(out)];
}

function validate(
  application: Application,
  project: ProjectReflection,
  packages: readonly string[],
  { hidden }: Exemptions,
): void {
  const rest = ["invalidLink", "invalidPath", "notDocumented", "unusedMergeModuleWith"] as const;
  // Flags that a value does not name keep their former value.
  const check = (notExported: boolean) =>
    application.options.setValue("validation", {
      ...Object.fromEntries(rest.map((flag) => [flag, !notExported])),
      notExported,
    });
  check(false);
  application.validate(project);
  // typedoc looks only for hidden types of the project's own package.
  check(true);
  const { packageName } = project;
  for (const name of packages) {
    application.options.setValue("intentionallyNotExported", [...(hidden[name] ?? [])]);
    project.packageName = name;
    application.validate(project);
  }
  if (packageName !== undefined) project.packageName = packageName;
}

function settings(root: string): TypeDocOptions {
  const { repository } = readPublication(root);
  return {
    name: "operator-path",
    basePath: root,
    readme: "none",
    router: "site",
    theme: "site",
    // TypeScript 7 checks the types of the same sources (`pnpm types`).
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    disableGit: true,
    sourceLinkTemplate: repository ? `${repositoryPage(repository)}/blob/HEAD/{path}#L{line}` : "",
    favicon: join(import.meta.dirname, "favicon.svg"),
    customCss: join(import.meta.dirname, "style.css"),
    headings: { readme: false, document: false },
    navigation: { includeGroups: true, includeFolders: false, excludeReferences: true },
    highlightLanguages: [
      "console",
      "diff",
      "docker",
      "go",
      "javascript",
      "json",
      "make",
      "bash",
      "tsx",
      "typescript",
      "yaml",
    ],
    searchInComments: true,
    searchInDocuments: true,
    requiredToBeDocumented: ["Variable", "Function", "Class", "Interface", "TypeAlias", "Enum"],
    validation: { rewrittenLink: true },
  };
}

/** Names the files of the site: `guides/from-go.html`, `reference/client/createClient.html`. */
class SiteRouter extends StructureRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    if (reflection instanceof DocumentReflection) {
      const file = reflection.project.files.getReflectionPath(reflection) ?? reflection.name;
      const folder = basename(dirname(file)) === "recipes" ? "recipes" : "guides";
      return `${folder}/${basename(file, ".md")}`;
    }
    return super.getIdealBaseName(reflection).replace(/^(?:_[^/]+\/)?/, "reference/");
  }
}

/** Leaves the scope out of the navigation, where each package would repeat it. */
class SiteTheme extends DefaultTheme {
  override buildNavigation(project: ProjectReflection): NavigationElement[] {
    return super.buildNavigation(project).map((group) => ({
      ...group,
      children: group.children?.map((page) => ({
        ...page,
        text: page.text.replace(/^@operator-path\//, ""),
      })),
    }));
  }
}

/** Warnings are problems: the site is built from sources that have none. */
function collectInto(problems: string[]): Logger {
  return new (class extends Logger {
    override log(message: string, level: LogLevel): void {
      if (level >= LogLevel.Warn) problems.push(message);
    }
  })();
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly "@operator-path/source"?: string }>>;
}

function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

function entryPointsOf(root: string, folder: string): EntryPoint[] {
  const manifest = readManifest(root, folder);
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const source = typeof target === "string" ? undefined : target["@operator-path/source"];
    if (source === undefined) return [];
    return {
      name: join(manifest.name, subpath),
      source: join(root, folder, source),
      folder: subpath === "." ? folder : undefined,
    };
  });
}

/** One program over all packages, so that each of their types is known once. */
function programOf(root: string, entryPoints: readonly EntryPoint[]): DocumentationEntryPoint[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram({
    rootNames: entryPoints.map(({ source }) => source),
    options: { ...options, noEmit: true },
  });
  return entryPoints.map(({ name, source }) => {
    const sourceFile = program.getSourceFile(source);
    if (sourceFile === undefined)
      throw new Error(`${source} does not exist, but the exports of ${name} name it`);
    return { displayName: name, program, sourceFile };
  });
}

/** Adds the home page, the pages, and each package's README to its module. */
function addMarkdown(
  application: Application,
  project: ProjectReflection,
  options: BuildSiteOptions,
  entryPoints: readonly EntryPoint[],
  problems: string[],
): void {
  const { root, home, pages, packages } = options;
  const files = Object.values(pages).flat();
  const readmes = packages.map((folder) => `${folder}/README.md`);
  const isPage = new Set([home, ...files, ...readmes, ...packages]);
  const { repository } = readPublication(root);
  const parse = (file: string, text: string) => {
    const linked = packedLinks(text, {
      path: file,
      isPacked: (target) => {
        if (!existsSync(join(root, target)))
          problems.push(`${file} links to ${target}, which does not exist`);
        return isPage.has(target) || isImage(target);
      },
      ...(repository && { repository: repositoryPage(repository) }),
    });
    const source = new MinimalSourceFile(linked, pathOf(root, file));
    return application.converter.parseRawComment(source, project.files).content;
  };
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  project.files.registerReflectionPath(pathOf(root, home), project);
  project.readme = parse(home, `${read(home)}\n${contentsOf(options)}`);
  for (const file of files) {
    const text = read(file);
    const page = new DocumentReflection(titleOf(file, text), project, parse(file, text), {});
    project.addChild(page);
    project.registerReflection(page, undefined, pathOf(root, file));
  }
  for (const { name, folder } of entryPoints) {
    const module = moduleOf(project, name);
    if (module === undefined || folder === undefined) continue;
    project.files.registerReflectionPath(pathOf(root, `${folder}/README.md`), module);
    project.files.registerReflectionPath(pathOf(root, folder), module);
    // The page of a module begins with its name.
    module.readme = parse(`${folder}/README.md`, read(`${folder}/README.md`).replace(/^# .+\n/, ""));
  }
}

/** The second half of the home page: links to all pages and packages. */
function contentsOf({ root, home, pages, packages }: BuildSiteOptions): string {
  const link = (title: string, file: string) => `[${title}](${posix.relative(posix.dirname(home), file)})`;
  const lists = Object.entries(pages)
    .filter(([, files]) => files.length > 0)
    .map(([title, files]) => {
      const items = files.map(
        (file) => `- ${link(titleOf(file, readFileSync(join(root, file), "utf8")), file)}`,
      );
      return `## ${title}\n\n${items.join("\n")}\n`;
    });
  const rows = packages.map((folder) => {
    const { name, description } = readManifest(root, folder);
    return `| ${link(name, folder)} | ${description} |`;
  });
  return [...lists, `## Packages\n\n| Package | What it is |\n|-|-|\n${rows.join("\n")}\n`].join("\n");
}

function titleOf(file: string, text: string): string {
  return /^# (.+)/m.exec(text)?.[1]?.replaceAll("`", "") ?? basename(file, ".md");
}

/** Gives navigation and index the order of `contents`: typedoc sorts by name. */
function arrange(
  project: ProjectReflection,
  contents: SiteContents,
  entryPoints: readonly EntryPoint[],
): void {
  const documents = project.documents ?? [];
  const modules = entryPoints.flatMap(({ name }) => moduleOf(project, name) ?? []);
  // They were added in the order of `contents.pages`, and sorted since.
  const byId = documents.toSorted((a, b) => a.id - b.id);
  const groups = Object.entries(contents.pages).map(([title, files]) => {
    const group = new ReflectionGroup(title, project);
    group.children = byId.splice(0, files.length);
    return group;
  });
  const reference = new ReflectionGroup("Packages", project);
  reference.children = modules;
  project.groups = [...groups.filter(({ children }) => children.length > 0), reference];
  project.children = modules;
  project.childrenIncludingDocuments = project.groups.flatMap(({ children }) => children);
}

function moduleOf(project: ProjectReflection, name: string): DeclarationReflection | undefined {
  return project.children?.find((child) => child.name === name);
}

/** Kubernetes does not describe all of its types. */
function generatedWithoutDocs(project: ProjectReflection, entryPoints: readonly EntryPoint[]): string[] {
  return entryPoints
    .filter(({ source }) => basename(dirname(source)) === "generated")
    .flatMap(({ name }) => moduleOf(project, name)?.children ?? [])
    .filter((child) => !child.isReference() && !child.hasComment())
    .map((child) => child.getFriendlyFullName());
}

function names(entryPoints: readonly EntryPoint[]): string[] {
  return entryPoints.filter(({ folder }) => folder !== undefined).map(({ name }) => name);
}

function pathOf(root: string, file: string): NormalizedPath {
  return normalizePath(join(root, file));
}

function isImage(path: string): boolean {
  return /\.(?:png|svg|jpe?g|gif)$/.test(path);
}
