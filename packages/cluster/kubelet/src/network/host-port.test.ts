import { expect, it } from "vitest";
import { isLoopback, openHostPort } from "./host-port.ts";

it.each(["127.evil.invalid", "127.0.0.1.example.com", "0.0.0.0", "10.0.0.1", "localhost", "::", ""])(
  "opens no port on %j",
  async (host) => {
    expect(isLoopback(host)).toBe(false);
    const dial = async () => Promise.reject(new Error("unreachable"));
    await expect(openHostPort({ host, port: 0, dial })).rejects.toThrow("is not a loopback address");
  },
);
