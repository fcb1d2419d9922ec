import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOf, type TestProject, testProject } from "./testing/project.ts";

const node = "FROM gcr.io/distroless/nodejs26-debian13\n";

let project: TestProject;
beforeEach(() => {
  project = testProject({
    "package.json": '{"name":"p","type":"module"}',
    "src/main.ts": "console.log('hello');",
    "src/other.ts": "export {};",
    "src/main.test.ts": "test();",
    "deploy/crd.yaml": "kind: CustomResourceDefinition",
    "dist/main.js": "console.log('compiled');",
    ".env": "SECRET=1",
    ".dockerignore": "node_modules\ndist\n.env\n**/*.test.ts\ndeploy\n!deploy/crd.yaml\n",
    "node_modules/left-pad/package.json": '{"name":"left-pad"}',
  });
});
afterEach(() => project.remove());

describe("COPY", () => {
  it.each([
    ["a file into a folder", "COPY package.json /app/", ["/app/package.json"]],
    ["a file under another name", "COPY package.json /app/p.json", ["/app/p.json"]],
    ["a file into the working folder", "WORKDIR /app\nCOPY package.json .", ["/app/package.json"]],
    ["a folder's contents", "COPY src /app/src", ["/app/src/main.ts", "/app/src/other.ts"]],
    ["several", "COPY package.json src/main.ts /a/", ["/a/main.ts", "/a/package.json"]],
    ["a pattern", "COPY src/*.ts /a/", ["/a/main.ts", "/a/other.ts"]],
    ["a pattern that may match nothing", "COPY package*.json yarn.lock* /a/", ["/a/package.json"]],
    ["the JSON form", 'COPY ["src/main.ts", "/a b/main.ts"]', ["/a b/main.ts"]],
    ["from outside, which is the root of the project", "COPY ../package.json /a/", ["/a/package.json"]],
    ["with ARG and ENV", `ARG D=src\nENV T=/a\nCOPY \${D} $T`, ["/a/main.ts", "/a/other.ts"]],
  ])("copies %s", async (_, lines, files) => {
    const image = await project.build(`${node}${lines}\nCMD ["-v"]`);
    expect(filesOf(image)).toEqual(files);
  });

  it("leaves out what .dockerignore excludes, and keeps its exceptions", async () => {
    const image = await project.build(`${node}COPY . /app\nCMD ["/app/src/main.ts"]`);
    expect(filesOf(image)).toEqual([
      "/app/.dockerignore",
      "/app/deploy/crd.yaml",
      "/app/package.json",
      "/app/src/main.ts",
      "/app/src/other.ts",
    ]);
  });

  it("reports an ignored source", async () => {
    const image = await project
      .build(`${node}COPY node_modules /app/node_modules\nCMD ["-v"]`)
      .catch((e) => e);
    expect(image.message).toBe(
      'Dockerfile:2: "node_modules" is excluded by .dockerignore: remove it there, or do not COPY it',
    );
  });

  it("follows links within the project, and leaves out links that lead out of it or in circles", async () => {
    symlinkSync("main.ts", join(project.folder, "src/again.ts"));
    symlinkSync("/etc/passwd", join(project.folder, "src/secret"));
    symlinkSync("..", join(project.folder, "src/circle"));
    symlinkSync("nowhere", join(project.folder, "src/broken"));
    const image = await project.build(`${node}COPY src /s\nCMD ["/s/main.ts"]`);
    expect(filesOf(image)).toEqual(["/s/again.ts", "/s/main.ts", "/s/other.ts"]);
  });

  it.each(["COPY passwd /pw", "COPY pass* /pw/"])("rejects a link that leads out of it: %s", async (line) => {
    symlinkSync("/etc/passwd", join(project.folder, "passwd"));
    await expect(project.build(`${node}${line}\nCMD ["-v"]`)).rejects.toThrow(
      `Dockerfile:2: "passwd" is not a file or folder of ${project.folder}: it is a link that leads out of it`,
    );
  });

  it.each(["COPY out/passwd /pw", "COPY out/pass* /pw/"])(
    "does not follow a folder's link out of it: %s",
    async (line) => {
      symlinkSync("/etc", join(project.folder, "out"));
      await expect(project.build(`${node}${line}\nCMD ["-v"]`)).rejects.toThrow(
        `Dockerfile:2: "out/passwd" is behind a link that leads out of ${project.folder}`,
      );
    },
  );

  it("copies two folders that link to each other once", async () => {
    for (const name of ["a", "b"]) {
      mkdirSync(join(project.folder, "mutual", name), { recursive: true });
      writeFileSync(join(project.folder, "mutual", name, "f"), name);
    }
    symlinkSync("../b", join(project.folder, "mutual/a/b"));
    symlinkSync("../a", join(project.folder, "mutual/b/a"));
    const image = await project.build(`${node}COPY mutual /m\nCMD ["-v"]`);
    expect(filesOf(image)).toEqual(["/m/a/b/f", "/m/a/f", "/m/b/a/f", "/m/b/f"]);
  });

  it("keeps the bytes, and the executable bit of the mode", async () => {
    const image = await project.build(`${node}COPY src/main.ts /m.ts\nCMD ["/m.ts"]`);
    expect(readFileSync(join(image.root, "m.ts"), "utf8")).toBe("console.log('hello');");
    expect(statSync(join(image.root, "m.ts")).mode & 0o777).toBe(0o644);
    const run = await project.build(`${node}COPY --chmod=0755 src/main.ts /m.ts\nCMD ["/m.ts"]`);
    expect(statSync(join(run.root, "m.ts")).mode & 0o777).toBe(0o755);
  });
});

describe("stages", () => {
  it("copies files of another stage, by name and by number", async () => {
    const image = await project.build(
      `FROM node:26 AS build\nWORKDIR /app\nCOPY src ./src\n${node}COPY --from=build /app/src/main.ts /a/\nCOPY --from=0 /app/src /b\nCMD ["/a/main.ts"]`,
    );
    expect(filesOf(image)).toEqual(["/a/main.ts", "/b/main.ts", "/b/other.ts"]);
  });

  it("continues another stage, with its configuration", async () => {
    const image = await project.build(
      `${node.trim()} AS base\nENV A=1\nWORKDIR /app\nFROM base\nCOPY src/main.ts .\nCMD ["main.ts"]`,
    );
    expect(image.manifest.config).toMatchObject({ env: { A: "1" }, workingDir: "/app", cmd: ["main.ts"] });
    expect(image.manifest.base).toBe("gcr.io/distroless/nodejs26-debian13");
  });

  it("skips an unused stage, whatever its image", async () => {
    const image = await project.build(
      `FROM golang:1.26 AS tools\nRUN go build ./x\n${node}COPY src /s\nCMD ["/s/main.ts"]`,
    );
    expect(filesOf(image)).toEqual(["/s/main.ts", "/s/other.ts"]);
  });

  it("ends with the stage that --target names", async () => {
    const text = `${node.trim()} AS one\nCMD ["-v"]\n${node.trim()} AS two\nCMD ["-h"]`;
    expect((await project.build(text, { target: "one" })).manifest.config.cmd).toEqual(["-v"]);
    expect((await project.build(text)).manifest.config.cmd).toEqual(["-h"]);
  });

  it("resolves images named by ARG or --build-arg", async () => {
    const text = `ARG NODE_IMAGE=gcr.io/distroless/nodejs26-debian13:nonroot\nARG HELM_IMAGE=docker.io/alpine/helm:4.2.3\nFROM \${HELM_IMAGE} AS helm\nFROM \${NODE_IMAGE} AS check\nWORKDIR /app\nCOPY src/main.ts .\nRUN ["/nodejs/bin/node", "--check", "main.ts"]\nFROM \${NODE_IMAGE}\nCOPY --from=helm /usr/bin/helm /usr/local/bin/helm\nCOPY --from=check /app /app\nCMD ["/app/main.ts"]`;
    const image = await project.build(text);
    expect(filesOf(image)).toEqual(["/app/main.ts"]);
    expect(image.manifest).toMatchObject({
      base: "gcr.io/distroless/nodejs26-debian13:nonroot",
      config: { user: "65532" },
      tools: [{ path: "/usr/local/bin/helm" }],
    });
    expect(image.said).toContain(
      "RUN /nodejs/bin/node --check main.ts: skipped, nothing in a Dockerfile is run",
    );
    const other = await project.build(text, { buildArgs: { NODE_IMAGE: "node:26-slim" } });
    expect(other.manifest.base).toBe("node:26-slim");
  });

  it("continues an image that was built here", async () => {
    const base = await project.build(`${node}ENV A=1\nCOPY src/main.ts /m.ts\nCMD ["/m.ts"]`);
    project.store.name("built", "docker.io/library/base:latest", base.digest);
    const image = await project.build("FROM base\nENV B=2");
    expect(image.manifest.config).toMatchObject({ env: { A: "1", B: "2" }, cmd: ["/m.ts"] });
    expect(readFileSync(join(image.root, "m.ts"), "utf8")).toContain("hello");
  });
});

describe("RUN", () => {
  it("uses the project's node_modules instead of an install", async () => {
    const image = await project.build(
      `FROM node:26 AS build\nWORKDIR /app\nCOPY package.json ./\nRUN npm ci --omit=dev\nCOPY src ./src\n${node}COPY --from=build /app /app\nCMD ["/app/src/main.ts"]`,
    );
    const modules = join(project.folder, "node_modules");
    expect(image.manifest.links).toMatchObject([
      { path: "/app/node_modules", target: modules, reads: [modules] },
    ]);
    expect(image.said).toContain(
      "RUN npm ci --omit=dev: skipped, the project's node_modules are used as they are",
    );
  });

  it.each(["npm install", "pnpm i --prod", "yarn --frozen-lockfile", "corepack enable && pnpm install"])(
    "recognizes %s as an install",
    async (command) => {
      const image = await project.build(
        `${node}WORKDIR /app\nCOPY package.json .\nRUN ${command}\nCMD ["-v"]`,
      );
      expect(image.manifest.links).toHaveLength(1);
    },
  );

  it("reports that the project must be installed first", async () => {
    rmSync(join(project.folder, "node_modules"), { recursive: true });
    const text = `${node}WORKDIR /app\nCOPY package.json .\nRUN npm ci\nCMD ["-v"]`;
    await expect(project.build(text)).rejects.toThrow(
      /^Dockerfile:4: RUN npm ci is skipped here, and .*node_modules, .* is missing: install the packages in .* first$/,
    );
  });

  it("takes compiled files from the project, and reports it", async () => {
    const single = await project.build(
      `${node}WORKDIR /app\nCOPY package.json .\nCOPY src src\nRUN npm run build\nCMD ["dist/main.js"]`,
    );
    expect(filesOf(single)).toContain("/app/dist/main.js");
    expect(single.said).toContain("RUN npm run build: skipped, nothing in a Dockerfile is run");
    expect(single.said).toContain(
      "dist is taken from the project as it is, because RUN instructions are not executed here",
    );
    const two = await project.build(
      `FROM node:26 AS build\nWORKDIR /app\nCOPY . .\nRUN npm run build\n${node}COPY --from=build /app/dist /app\nCMD ["/app/main.js"]`,
    );
    expect(filesOf(two)).toEqual(["/app/main.js"]);
  });
});

describe("configuration", () => {
  it("is that of Docker", async () => {
    const { manifest } = await project.build(
      `ARG V=26\nFROM node:$V-slim\nARG V\nARG WHO=default\nENV A=b "C=d e" WHO=$WHO V=\${V:-x}\nENV OLD value here\nLABEL a=b\nWORKDIR /app\nWORKDIR sub\nUSER node:node\nEXPOSE 8080 9090/udp\nSTOPSIGNAL SIGQUIT\nENTRYPOINT ["node", "--enable-source-maps"]\nCMD ["a.mjs", "x y"]\nCOPY src/main.ts a.mjs`,
      { buildArgs: { WHO: "me" } },
    );
    expect(manifest.flavour).toBe("debian");
    expect(manifest.config).toEqual({
      env: { A: "b", C: "d e", WHO: "me", V: "26", OLD: "value here" },
      labels: { a: "b" },
      workingDir: "/app/sub",
      user: "node:node",
      exposedPorts: ["8080/tcp", "9090/udp"],
      stopSignal: "SIGQUIT",
      entrypoint: ["node", "--enable-source-maps"],
      cmd: ["a.mjs", "x y"],
    });
  });

  it("keeps the base image's entrypoint under a CMD, and drops its CMD under an ENTRYPOINT", async () => {
    const cmd = await project.build('FROM node:26\nCMD ["-v"]');
    expect(cmd.manifest.config).toMatchObject({ entrypoint: ["docker-entrypoint.sh"], cmd: ["-v"] });
    const entrypoint = await project.build('FROM node:26\nENTRYPOINT ["node", "-v"]');
    expect(entrypoint.manifest.config).toMatchObject({ entrypoint: ["node", "-v"], cmd: [] });
    const shell = await project.build("FROM node:26\nCMD exec node -v $X");
    expect(shell.manifest.config.cmd).toEqual(["/bin/sh", "-c", "exec node -v $X"]);
  });
});

describe("the digest", () => {
  it("is the same for the same content, and differs for another", async () => {
    const text = `${node}COPY src /s\nCMD ["/s/main.ts"]`;
    const first = await project.build(text);
    expect((await project.build(text)).digest).toBe(first.digest);
    writeFileSync(join(project.folder, "src/main.ts"), "console.log('changed');");
    expect((await project.build(text)).digest).not.toBe(first.digest);
    expect((await project.build(`${text}\nENV A=1`)).digest).not.toBe(first.digest);
  });
});

describe("tools of other images", () => {
  const main = 'COPY src/main.ts /m.ts\nCMD ["/m.ts"]';
  const helm = (path: string) => [{ path, tool: "helm", version: "4.2.3" }];

  it.each([
    [
      `FROM docker.io/alpine/helm:4.2.3 AS helm\n${node}COPY --from=helm /usr/bin/helm /usr/local/bin/helm\n${main}`,
    ],
    [
      `FROM alpine/helm AS helm\nRUN helm version\n${node}COPY --from=0 /usr/bin/helm /usr/local/bin/\n${main}`,
    ],
    [`FROM alpine/helm:4 AS a\nFROM a AS b\n${node}COPY --from=b /usr/bin /usr/local/bin\n${main}`],
    [`${node}COPY --from=alpine/helm:4.2 /usr/bin/helm /usr/local/bin/helm\n${main}`],
  ])("come from this machine: %j", async (text) => {
    const image = await project.build(text);
    expect(image.manifest.tools).toEqual(helm("/usr/local/bin/helm"));
    expect(filesOf(image)).toEqual(["/m.ts"]);
    expect(image.said.join()).not.toContain(", not ");
  });

  it("are reported if their version is not the tag's", async () => {
    const image = await project.build(
      `FROM docker.io/alpine/helm:4.1.0 AS helm\n${node}COPY --from=helm /usr/bin/helm /helm\n${main}`,
    );
    expect(image.said).toContain(
      "FROM docker.io/alpine/helm:4.1.0: not pulled. /usr/bin/helm is this machine's helm 4.2.3, in place of 4.1.0.",
    );
  });

  it("change the image, and stay in images built on it", async () => {
    const plain = await project.build(`${node}${main}`);
    const base = await project.build(`${node}COPY --from=alpine/helm:4 /usr/bin/helm /helm\n${main}`);
    expect(base.digest).not.toBe(plain.digest);
    expect(plain.manifest).not.toHaveProperty("tools");
    project.store.name("built", "docker.io/library/base:latest", base.digest);
    expect((await project.build("FROM base\nENV A=1")).manifest.tools).toEqual(helm("/helm"));
  });

  it("must be on this machine", async () => {
    const findTool = async () => {
      throw new Error("helm 4 was not found: install it");
    };
    const built = project.build(`FROM alpine/helm:4 AS h\n${node}COPY --from=h /usr/bin/helm /h`, {
      findTool,
    });
    await expect(built).rejects.toThrow(
      "Dockerfile:1: FROM alpine/helm:4: /usr/bin/helm is this machine's helm here. helm 4 was not found: install it",
    );
  });

  it.each([
    [
      `FROM alpine/helm:4 AS h\n${node}COPY --from=h /bin/sh /bin/sh\n${main}`,
      'Dockerfile:3: "/bin/sh" is not in the stage h: from other images, only /usr/bin/helm of docker.io/alpine/helm:<tag> is available here',
    ],
    [
      `${node}COPY --from=quay.io/other/helm:4 /usr/bin/helm /helm\n${main}`,
      /^Dockerfile:2: --from=quay\.io\/other\/helm:4: no earlier stage .* \(except \/usr\/bin\/helm of docker\.io\/alpine\/helm:<tag>\): put them into the project$/,
    ],
    [
      `FROM bitnami/kubectl:1 AS k\n${node}COPY --from=k /bin/kubectl /k\n${main}`,
      /^Dockerfile:1: FROM bitnami\/kubectl:1 is not a supported image.*COPY --from also accepts \/usr\/bin\/helm/,
    ],
    [
      'FROM alpine/helm:4\nCMD ["version"]',
      /^Dockerfile: the last stage is FROM alpine\/helm:4, which has no Node here: begin a stage on node:<tag>/,
    ],
  ])("work only for known images: %j", async (text, message) => {
    await expect(project.build(text)).rejects.toThrow(message);
  });
});

describe("unsupported instructions", () => {
  it.each([
    ["", "Dockerfile: there is no FROM"],
    ["FROM python:3", /^Dockerfile:1: FROM python:3 is not a supported image.*gcr\.io\/distroless\/nodejs/],
    ["FROM scratch", /^Dockerfile:1: FROM scratch is not a supported image/],
    ["COPY a b", /^Dockerfile:1: COPY comes before the first FROM/],
    [`${node}\nCOPY nothing.txt /a`, /^Dockerfile:3: "nothing\.txt" is not in .*project$/],
    [`${node}COPY *.rb /a/`, "Dockerfile:2: no file matches the pattern"],
    [`${node}COPY .env /a`, /^Dockerfile:2: "\.env" is excluded by \.dockerignore/],
    [`${node}COPY package.json`, /^Dockerfile:2: COPY takes at least one source and a destination/],
    [
      `${node}COPY --from=busybox /bin/sh /bin/`,
      /^Dockerfile:2: --from=busybox: no earlier stage has that name/,
    ],
    [`${node}COPY <<EOF /a\nx\nEOF`, /^Dockerfile:2: COPY of a here-document/],
    [`${node}ADD https://example.com/x /x`, /^Dockerfile:2: ADD of a URL/],
    [
      `${node}COPY --exclude=*.md . /a`,
      "Dockerfile:2: COPY --exclude is not supported here: name the files to copy",
    ],
    [`${node}COPY --chmod=u+x src /a`, "Dockerfile:2: --chmod=u+x: write three octal digits, such as 755"],
    [`${node}ONBUILD RUN x`, /^Dockerfile:2: ONBUILD is not supported/],
    [`${node}FETCH x`, "Dockerfile:2: unknown instruction FETCH"],
    [`${node}STOPSIGNAL 9`, /^Dockerfile:2: STOPSIGNAL 9 is not supported \(expected one of SIGTERM/],
    [`${node}ENV =x`, /^Dockerfile:2: "=x" has no =/],
    [`${node}ENTRYPOINT []`, /neither ENTRYPOINT nor CMD/],
    [
      `${node}CMD ["/app/main.js"]`,
      /^Dockerfile:2: \/app\/main\.js is the program to start, but nothing .* copies it$/,
    ],
    [
      `FROM node:26 AS b\nWORKDIR /w\nCOPY src src\nRUN tsc\n${node}COPY --from=b /w/out /o\nCMD ["/o/x.js"]`,
      /^Dockerfile:6: "\/w\/out" is not in the stage b: RUN instructions are not executed here \(line 4: tsc\)\. Run that command in the project first, so that out exists$/,
    ],
  ])("reports where, why and what to do: %j", async (text, message) => {
    await expect(project.build(text)).rejects.toThrow(message);
  });
});
