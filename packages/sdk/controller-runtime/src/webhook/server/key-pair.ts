import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyPair } from "@operator-path/client/certificates";

/** @throws Error saying which part is wrong, and why */
export function checkKeyPair({ certificate, privateKey }: KeyPair, where: string): void {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
  } catch (cause) {
    throw new Error(`the certificate of ${where} cannot be read`, { cause });
  }
  let key: ReturnType<typeof createPrivateKey>;
  try {
    key = createPrivateKey(privateKey);
  } catch (cause) {
    throw new Error(`the key of ${where} cannot be read`, { cause });
  }
  if (!parsed.checkPrivateKey(key)) {
    throw new Error(`the certificate and the key of ${where} do not match`);
  }
}
