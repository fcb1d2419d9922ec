import { expect, it } from "vitest";
import { createTestPod, run } from "../testing/container.ts";

it("has a full disk at its capacity, and room again after files are removed", async () => {
  const box = await createTestPod().start({ image: "busybox", command: ["sleep", "infinity"] });
  const double = `x=aaaaaaaaaaaaaaaa; while [ \${#x} -lt 30000000 ]; do x=$x$x; done`;
  const fill = "i=0; while [ $i -lt 12 ]; do i=$((i+1)); echo $x > /tmp/$i || break; done; echo $i";
  const { stdout, stderr } = await run(box, [
    "sh",
    "-c",
    `${double}; ${fill}; rm /tmp/*; echo $x > /tmp/x && echo room`,
  ]);
  expect(stdout).toBe("8\nroom\n");
  expect(stderr).toContain("No space left on device");
});
