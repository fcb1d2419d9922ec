import { type Engine, findEngine } from "@operator-path/kind";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { buildImages, imageName } from "./build-images.ts";

const engine: Engine | undefined = await findEngine().catch(() => undefined);
// Builds images from Debian packages; Go builds the registry.
const hasTools = (
  await Promise.all(
    [
      ["apt-get", "--version"],
      ["go", "version"],
    ].map(([program = "", arg = ""]) => execa(program, [arg], { reject: false })),
  )
).every(({ failed }) => !failed);

describe.skipIf(engine === undefined || !hasTools)("images (with an engine, Debian and Go)", () => {
  const using = engine as Engine;
  const run = (image: string, ...args: string[]) =>
    execa(using.path, ["run", "--rm", "--network", "none", imageName({ name: image }), ...args], {
      reject: false,
    });

  beforeAll(() => buildImages({ engine: using }), 600_000);

  it("are not rebuilt without a change", async () => {
    const built: boolean[] = [];
    await buildImages({ engine: using, onProgress: (done) => built.push(done.built) });
    expect(built).toEqual(Array(7).fill(false));
  });

  it("node runs Node as user 65532, without a shell", async () => {
    const { stdout } = await run("node", "-p", "process.getuid() + process.version");
    expect(stdout).toBe(`65532${process.version}`);
    const names = ["sh", "bash", "busybox"].flatMap((name) => [`/bin/${name}`, `/usr/bin/${name}`]);
    const { stdout: found } = await run(
      "node",
      "-p",
      `${JSON.stringify(names)}.filter((path) => fs.existsSync(path))`,
    );
    expect(found).toBe("[]");
  });

  it("busybox has a shell, and a ps like the published image", async () => {
    const { stdout } = await run("busybox", "sh", "-c", "ps");
    expect(stdout).toMatch(/^PID {3}USER {5}TIME {2}COMMAND\n {4}1 root {6}0:00 /);
  });

  it.each(["nginx", "nginx-unprivileged"])("%s takes its configuration", async (image) => {
    const { exitCode, stderr } = await run(image, "nginx", "-t");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("test is successful"),
    });
  });

  it("memcached accepts plain arguments, and helm runs", async () => {
    expect((await run("memcached", "-V")).stdout).toMatch(/^memcached 1\./);
    expect((await run("helm", "version", "--short")).stdout).toMatch(/^v4\./);
  });
});
