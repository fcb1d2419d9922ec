import { expect, test } from "vitest";
import { openPage } from "./testing/open-page.ts";

const [first, second] = ["web-5d88f7c669-kfqzn", "web-5d88f7c669-bbbbb"];

test("asks whether a deletion was skipped when an object is still there, and goes on with it if that is right", async () => {
  const { act, accept, output } = openPage([
    `\n$ echo ${first}; : write\nweb-6cf9d7b5d8-x7k2p`,
    "\n$ : kubectl delete pod web-6cf9d7b5d8-x7k2p",
    `\n$ echo ${first} runs; : write\nweb-6cf9d7b5d8-9smk7 runs`,
    "\n$ echo have web-6cf9d7b5d8-9smk7; : write\nhave web-6cf9d7b5d8-9smk7",
  ]);
  await act(0);
  expect(await act(2)).toMatchObject({
    status: "differs",
    advice: {
      text: `This is still ${first}, but the page has another object here. Did you skip \`: kubectl delete pod web-6cf9d7b5d8-x7k2p\` above? Run it, then run this again.`,
    },
  });
  expect(accept(2)).toEqual({ status: "done" });
  expect(await act(3)).toEqual({ status: "done" });
  expect(output()).toContain(`have ${first}`);
});

test("says that the object exists which the page means, when a command shows another one", async () => {
  const { act, accept } = openPage([
    `\n$ echo ${first}; : write\nweb-6cf9d7b5d8-x7k2p`,
    `\n$ echo ${second} runs; : write\nweb-6cf9d7b5d8-x7k2p runs`,
    `\n$ echo ${second} stays; : write\nweb-6cf9d7b5d8-x7k2p stays`,
  ]);
  await act(0);
  expect(await act(1)).toMatchObject({
    advice: {
      text: `The page means ${first}, which still exists, but this shows ${second}. If you created or kept one yourself, delete it, and run this again.`,
    },
  });
  accept(1);
  expect(await act(2)).toEqual({ status: "done" });
});

test("does not explain by names what differs in more than them", async () => {
  const { act } = openPage([
    `\n$ echo ${first}; : write\nweb-6cf9d7b5d8-x7k2p`,
    `\n$ echo ${first} fails; : write\nweb-6cf9d7b5d8-9smk7 runs`,
  ]);
  await act(0);
  expect(await act(1)).not.toHaveProperty("advice");
});
