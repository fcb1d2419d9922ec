import { expect, test } from "vitest";
import { isNamed } from "./no-proxy.ts";

test.each([
  ["*", "https://anything.example"],
  ["api.example.com", "https://api.example.com:6443"],
  ["example.com", "https://api.example.com"],
  [".example.com", "https://api.example.com"],
  ["*.example.com", "https://api.example.com"],
  ["example.com", "https://API.Example.com."],
  [" other , EXAMPLE.com ", "https://example.com"],
  ["example.com:443", "https://example.com"],
  ["example.com:80", "http://example.com"],
  ["10.96.0.1", "https://10.96.0.1"],
  ["10.96.0.1:6443", "https://10.96.0.1:6443"],
  ["10.0.0.0/8", "https://10.96.0.1"],
  ["10.96.0.7/24", "https://10.96.0.1"],
  ["::1", "https://[::1]"],
  ["example.com:", "https://api.example.com"],
  ["10.96.0.1:", "https://10.96.0.1:6443"],
  ["example.com.", "https://api.example.com"],
  ["bücher.example", "https://api.bücher.example"],
  ["[fd00::1]:6443", "https://[fd00::1]:6443"],
  ["fd00::/8", "https://[fd00::1]"],
])("%s names %s", (list, server) => {
  expect(isNamed(list, new URL(server))).toBe(true);
});

test.each([
  ["", "https://example.com"],
  [",", "https://example.com"],
  [".", "https://example.com"],
  [":443", "https://example.com"],
  ["api.example.com", "https://example.com"],
  [".example.com", "https://example.com"],
  ["*.example.com", "https://example.com"],
  ["example.com", "https://badexample.com"],
  ["example.com:80", "https://example.com"],
  ["10.96.0.1", "https://10.96.0.10"],
  ["10.0.0.0/8", "https://11.0.0.1"],
  ["10.0.0.0/8", "https://10.example.com"],
  ["0.1", "https://10.96.0.1"],
  [".0.1", "https://10.96.0.1"],
  ["::/0", "https://10.0.0.1"],
  ["10.0.0.0/33", "https://10.0.0.1"],
  ["10.0.0.0/", "https://10.0.0.1"],
  ["fd00::/8", "https://10.0.0.1"],
  ["10.0.0.0/8", "https://[fd00::1]"],
])("%s does not name %s", (list, server) => {
  expect(isNamed(list, new URL(server))).toBe(false);
});
