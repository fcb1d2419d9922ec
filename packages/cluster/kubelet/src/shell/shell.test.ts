import { describe, expect, it } from "vitest";
import { createTestPod, logOf, openTerminal, run } from "../testing/container.ts";

async function busybox(spec = {}) {
  const pod = createTestPod();
  return { pod, box: await pod.start({ image: "busybox", command: ["sleep", "infinity"], ...spec }) };
}

describe("a command in a container", () => {
  it.each([
    [["ls", "/etc"], "group\nhostname\nhosts\npasswd\nresolv.conf\nshadow\n"],
    [["whoami"], "root\n"],
    [["id"], "uid=0(root) gid=0(root) groups=0(root)\n"],
    [["hostname"], "test\n"],
    [["cat", "/etc/hostname"], "test\n"],
    [["sh", "-c", "x=3; for i in 1 2; do echo $i$x; done"], "13\n23\n"],
    [["sh", "-c", 'f() { echo "<$1>"; }; f "a b"; cd /etc && pwd'], "<a b>\n/etc\n"],
    [["sh", "-c", "echo one > /tmp/x; echo two >> /tmp/x; cat /tmp/x | tr a-z A-Z"], "ONE\nTWO\n"],
    [["sh", "-c", 'echo "$1-$2"', "sh", "a", "b"], "a-b\n"],
    [["sh", "-c", "if false; then echo no; else echo yes; fi; ! false && echo negated"], "yes\nnegated\n"],
    [["sh", "-c", "set -e; (exit 0); echo before; false; echo after"], "before\n"],
    [["sh", "-c", "i=0; while true; do i=$((i+1)); [ $i -ge 3 ] && break; done; echo $i"], "3\n"],
  ])("%j", async (argv, stdout) => {
    const { box } = await busybox();
    expect((await run(box, argv)).stdout).toBe(stdout);
  });

  it.each([
    [["sh", "-c", "exit 4"], 4],
    [["sh", "-c", "false || exit 7; echo no"], 7],
    [["false"], 1],
    [["sh", "-c", "nosuch"], 127],
  ])("%j ends with %d", async (argv, exitCode) => {
    const { box } = await busybox();
    expect((await run(box, argv)).exitCode).toBe(exitCode);
  });

  it("finds a shell in Debian's folders as well", async () => {
    const box = await createTestPod().start({ image: "nginx", command: ["sh"], stdin: true });
    const { stdout, exitCode } = await run(box, [
      "bash",
      "-c",
      "cd / && echo in $(pwd); nosuch || [ -x /usr/bin/ls ] && ls -d /usr/bin",
    ]);
    expect({ stdout, exitCode }).toEqual({ stdout: "in /\n/usr/bin\n", exitCode: 0 });
  });

  it("prints BusyBox's error messages", async () => {
    const { box } = await busybox();
    const { stderr } = await run(box, ["/bin/sh", "-c", "nosuch; cd /nope; ls /zzz; cat /zzz"]);
    expect(stderr).toBe(
      [
        "/bin/sh: nosuch: not found",
        "/bin/sh: cd: can't cd to /nope: No such file or directory",
        "ls: /zzz: No such file or directory",
        "cat: /zzz: No such file or directory",
        "",
      ].join("\n"),
    );
  });

  it.each(["f() { f; }; f; echo after", "f() { if true; then (f); fi; }; f", "f() { f || true; }; f"])(
    "ends infinite recursion: %s",
    async (script) => {
      const { box } = await busybox();
      expect(await run(box, ["sh", "-c", script])).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: "sh: f: maximum function nesting level exceeded (1000)\n",
      });
    },
  );

  it("continues with the rest of the input after infinite recursion", async () => {
    const { box } = await busybox();
    expect((await run(box, ["sh"], "f() { f; }\nf; echo no\necho $?\n")).stdout).toBe("1\n");
  });

  it("yields and can be killed during a long computation", async () => {
    const { box } = await busybox();
    // The script makes 2^1000 calls.
    const { exited, process } = await box.spawn({
      argv: ["sh", "-c", "f() { (f); (f); }; f"],
      tty: false,
      stdin: undefined,
      onOutput() {},
    });
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.signal("SIGKILL");
    expect(await exited).toBe(137);
    expect((await run(box, ["ps"])).stdout).not.toContain("sh -c");
  });

  it.each(["f() { f & f & }; f; sleep 9", "echo 'sh /tmp/x & sh /tmp/x' > /tmp/x; sh /tmp/x"])(
    "cannot fork forever: %s",
    async (script) => {
      const { box } = await busybox();
      const { process, exited } = await new Promise<Awaited<ReturnType<typeof box.spawn>>>((resolve) => {
        const started = box.spawn({
          argv: ["sh", "-c", script],
          tty: false,
          stdin: undefined,
          onOutput(_, chunk) {
            if (/^sh: can't fork: Resource temporarily unavailable\n/.test(Buffer.from(chunk).toString()))
              resolve(started);
          },
        });
      });
      process.signal("SIGKILL");
      await exited;
      for (const other of box.config.processes.list()) if (other.pid !== 1) other.signal("SIGKILL");
      // Its processes end at their next step, which makes room again.
      while (box.config.processes.full) await new Promise((resolve) => setImmediate(resolve));
      expect((await run(box, ["sh", "-c", "true & wait; echo ok"])).stdout).toBe("ok\n");
    },
  );

  it("continues when a background command fails unexpectedly", async () => {
    const { box } = await busybox();
    let stderr = "";
    const { exited } = await box.spawn({
      argv: ["sh", "-c", "echo a & wait; exit 3"],
      tty: false,
      stdin: undefined,
      onOutput(stream, chunk) {
        if (stream === "stdout") throw new Error("no room");
        stderr += Buffer.from(chunk).toString();
      },
    });
    expect(await exited).toBe(3);
    expect(stderr).toBe("sh: no room\n");
  });

  it("fails with runc's message when the program is missing", async () => {
    const pod = createTestPod();
    const payment = await pod.start({ image: "payment:1.0.0" });
    await expect(run(payment, ["/bin/sh"])).rejects.toThrow(
      'exec: "/bin/sh": stat /bin/sh: no such file or directory',
    );
    await expect(run(payment, ["sh"])).rejects.toThrow('exec: "sh": executable file not found in $PATH');
  });

  it("reads standard input", async () => {
    const { box } = await busybox();
    expect((await run(box, ["sh", "-c", "cat > /tmp/x; wc -c < /tmp/x"], "12345\n")).stdout.trim()).toBe("6");
    expect((await run(box, ["sh"], "echo a\nfor i in 1 2; do\necho $i\ndone\n")).stdout).toBe("a\n1\n2\n");
  });

  it("creates archives that kubectl cp accepts", async () => {
    const { box } = await busybox();
    const archive = await run(box, ["tar", "cf", "-", "/etc/hostname"]);
    expect(archive.stderr).toBe("tar: removing leading '/' from member names\n");
    expect(archive.stdout.slice(0, 13)).toBe("etc/hostname\0");
    await run(box, ["tar", "-xmf", "-", "-C", "/tmp"], archive.stdout);
    expect((await run(box, ["cat", "/tmp/etc/hostname"])).stdout).toBe("test\n");
  });

  it("prints the output of a loop while it runs", async () => {
    const pod = createTestPod();
    const box = await pod.start({
      image: "busybox",
      command: ["sh", "-c", "while true; do echo tick; sleep 5; done"],
    });
    const ticks = async (n: number) => {
      const lines = box.log
        .read({ follow: true, signal: AbortSignal.timeout(10_000) })
        [Symbol.asyncIterator]();
      let text = "";
      while (text.split("\n").length <= n) text += Buffer.from((await lines.next()).value ?? "").toString();
      return text;
    };
    expect(await ticks(1)).toBe("tick\n");
    // The second line appears after the sleep.
    await untilTimer(pod.clock);
    await pod.clock.advance(5000);
    expect(await ticks(2)).toBe("tick\ntick\n");
    await kill(box);
  });
});

describe("the first process of a container", () => {
  it("ends at once if it is a shell without stdin", async () => {
    const pod = createTestPod();
    const box = await pod.start({ image: "busybox" });
    expect(await box.exited).toMatchObject({ code: 0, reason: "Completed" });
  });

  it("waits for input if it has a terminal", async () => {
    const pod = createTestPod();
    const box = await pod.start({ image: "busybox", stdin: true, tty: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(box.exit).toBeUndefined();
    box.stdin?.write(Buffer.from("exit 5\r"));
    expect(await box.exited).toMatchObject({ code: 5, reason: "Error" });
  });

  it("ignores SIGTERM unless it has a trap for it", async () => {
    const pod = createTestPod();
    const deaf = await pod.start({ image: "busybox", command: ["sh", "-c", "sleep 1000"] });
    await untilTimer(pod.clock);
    const killed = deaf.stop(30_000);
    await untilTimer(pod.clock, 2);
    await pod.clock.advance(29_999);
    expect(deaf.exit).toBeUndefined();
    await pod.clock.advance(1);
    expect((await killed).code).toBe(137);

    const polite = await pod.start({
      image: "busybox",
      command: ["sh", "-c", "trap 'echo bye; exit 3' TERM; sleep infinity & wait"],
    });
    await untilTimer(pod.clock);
    expect((await polite.stop(30_000)).code).toBe(3);
    expect(await logOf(polite)).toBe("bye\n");
  });

  it("gets the stop signal once, and SIGKILL after the shortest grace period", async () => {
    const pod = createTestPod();
    const command = ["sh", "-c", "trap 'echo stopping' TERM; while true; do sleep infinity & wait; done"];
    const box = await pod.start({ image: "busybox", command });
    await untilTimer(pod.clock);
    const stops = [box.stop(30_000), box.stop(2_000)];
    await untilTimer(pod.clock, 3);
    await pod.clock.advance(2_000);
    expect((await Promise.all(stops)).map(({ code }) => code)).toEqual([137, 137]);
    expect(await logOf(box)).toBe("stopping\n");
  });

  it("ends the container's other processes with it", async () => {
    const { box } = await busybox();
    const other = run(box, ["sleep", "1000"]);
    await new Promise((resolve) => setImmediate(resolve));
    await kill(box);
    expect((await other).exitCode).toBe(137);
  });
});

describe("an interactive shell", () => {
  it("keeps directory and variables between lines, and ends with the code of exit", async () => {
    const { box } = await busybox();
    const terminal = await openTerminal(box, ["/bin/sh"]);
    await terminal.shows(/\/ # $/);
    terminal.type("x=5\rcd /etc\recho $x $PWD\r");
    expect(await terminal.shows(/5 \/etc\r\n\/etc # $/)).toBe(
      "/ # x=5\r\n/ # cd /etc\r\n/etc # echo $x $PWD\r\n5 /etc\r\n/etc # ",
    );
    terminal.type("exit 3\r");
    expect(await terminal.exited).toBe(3);
  });

  it("edits the line: backspace, history, ^C, ^D", async () => {
    const { box } = await busybox();
    const terminal = await openTerminal(box, ["sh"]);
    terminal.type("echo hix\u007f\r");
    await terminal.shows(/\nhi\r\n\/ # $/);
    terminal.type("\u001b[A\r");
    await terminal.shows(/\nhi\r\n[\s\S]*\nhi\r\n\/ # $/);
    terminal.type("half\u0003");
    await terminal.shows(/half\^C\r\n\/ # $/);
    terminal.type("sleep 1000\r");
    await terminal.shows(/sleep 1000\r\n$/);
    terminal.type("\u0003");
    await terminal.shows(/\^C\r\n\/ # $/);
    terminal.type("echo $?\r");
    await terminal.shows(/\n130\r\n/);
    terminal.type("\u0004");
    expect(await terminal.exited).toBe(0);
  });

  it.each([
    ["cat /etc/hostname; sleep 1000", /\ntest\r\n$/, ""],
    ["cat; sleep 1000", /cat; sleep 1000\r\n$/, ""],
    ["read x; sleep 1000", /read x; sleep 1000\r\n$/, "a\r"],
    ["sh -c 'echo in; sleep 1000'", /\nin\r\n$/, ""],
  ])("ends the whole line at ^C: %s", async (line, under, typed) => {
    const { box } = await busybox();
    const terminal = await openTerminal(box, ["sh"]);
    terminal.type(`${line}\r`);
    await terminal.shows(under);
    terminal.type(`${typed}\u0003`);
    await terminal.shows(/\^C\r\n\/ # $/);
    terminal.type("echo $?\r");
    await terminal.shows(/\n130\r\n\/ # $/);
  });

  it("applies ^C at the prompt of a nested shell to that prompt only", async () => {
    const { box } = await busybox();
    const terminal = await openTerminal(box, ["sh"]);
    terminal.type("sh; echo back with $?\r");
    await terminal.shows(/\n\/ # $/);
    terminal.type("half\u0003");
    await terminal.shows(/half\^C\r\n\/ # $/);
    terminal.type("sleep 1000\r");
    await terminal.shows(/sleep 1000\r\n$/);
    terminal.type("\u0003");
    await terminal.shows(/1000\r\n\^C\r\n\/ # $/);
    terminal.type("exit 4\r");
    await terminal.shows(/back with 4\r\n\/ # $/);
  });

  it("asks for the rest of an unfinished command", async () => {
    const { box } = await busybox();
    const terminal = await openTerminal(box, ["sh"]);
    terminal.type("for i in a b; do\r");
    await terminal.shows(/> $/);
    terminal.type("echo $i\rdone\r");
    expect(await terminal.shows(/\na\r\nb\r\n/)).toContain("> echo $i\r\n> done\r\na\r\nb\r\n");
    terminal.hangUp();
    await terminal.exited;
  });

  it("shows a prompt for the user", async () => {
    const pod = createTestPod({ runAsUser: 1000 });
    const box = await pod.start({ image: "busybox", command: ["sleep", "infinity"] });
    const terminal = await openTerminal(box, ["sh"]);
    terminal.type("whoami; touch /x; echo a > /y; touch /tmp/mine && echo ok\r");
    const screen = await terminal.shows(/\nok\r\n/);
    expect(screen).toContain("/ $ ");
    expect(screen).toContain("whoami: unknown uid 1000\r\n");
    expect(screen).toContain("touch: /x: Permission denied\r\n");
    expect(screen).toContain("sh: can't create /y: Permission denied\r\n");
    terminal.hangUp();
    await terminal.exited;
  });
});

it("shows nothing of the host", async () => {
  const { box } = await busybox();
  const { stdout } = await run(box, ["env"]);
  expect(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=")[0])
      .sort(),
  ).toEqual(["HOME", "HOSTNAME", "PATH", "PWD"]);
  expect((await run(box, ["cat", `${process.cwd()}/package.json`])).stderr).toContain(
    "No such file or directory",
  );
  expect((await run(box, ["wget", "-qO-", "http://127.0.0.1:22"])).exitCode).toBe(1);
  expect((await run(box, ["wget", "-qO-", "http://example.com"])).stderr).toBe(
    "wget: bad address 'example.com'\n",
  );
  expect(
    (await run(box, ["sh", "-c", "ls -d /work /home/user /usr/local/bin/node; echo $USER$LOGNAME"])).stdout,
  ).toBe("\n");
});

/** Waits until pending work has set its timers. */
async function untilTimer(clock: ReturnType<typeof createTestPod>["clock"], timers = 1): Promise<void> {
  while (clock.pending() < timers) await new Promise((resolve) => setImmediate(resolve));
}

async function kill(box: Awaited<ReturnType<typeof busybox>>["box"]): Promise<void> {
  for (const process of box.config.processes.list()) process.signal("SIGKILL");
  await box.exited;
}
