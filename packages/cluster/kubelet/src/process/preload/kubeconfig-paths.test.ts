import { expect, it } from "vitest";
import { kubeconfigForHost } from "./kubeconfig-paths.ts";

const map = (text: string) => kubeconfigForHost(text, "/etc/kube", (path) => `/host${path}`);

it.each([
  ["    certificate-authority: /etc/ca.crt\n", '    certificate-authority: "/host/etc/ca.crt"\n'],
  ["    client-key: pki/key.pem # here\n", '    client-key: "/host/etc/kube/pki/key.pem" # here\n'],
  ["  - tokenFile: '/run/my token'\n", '  - tokenFile: "/host/run/my token"\n'],
  ['{"tokenFile":"/run/token","x":1}', '{"tokenFile":"/host/run/token","x":1}'],
  ["{tokenFile: /run/token, x: 1}", '{tokenFile: "/host/run/token", x: 1}'],
  ["      command: /usr/bin/aws\n", '      command: "/host/usr/bin/aws"\n'],
  ["      command: aws\n", "      command: aws\n"],
  ["    certificate-authority-data: L2V0Yw==\n", "    certificate-authority-data: L2V0Yw==\n"],
  ["    server: https://127.0.0.1:6443\n", "    server: https://127.0.0.1:6443\n"],
  ["    token: /abc/def\n", "    token: /abc/def\n"],
])("%j", (text, mapped) => {
  expect(map(text)).toBe(mapped);
});
