import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";

/**
 * Returns a self-signed certificate for names and IPv4 addresses, valid from 2000 to 2049, and its key. Both
 * are PEM.
 */
export function selfSigned(names: readonly string[] = ["127.0.0.1"]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex"))); // ecdsa-with-SHA256
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("test")))),
  );
  const validity = sequence(
    ...["000101000000Z", "491231235959Z"].map((time) => der(0x17, Buffer.from(time))),
  );
  const alternatives = sequence(
    ...names.map((each) =>
      isIP(each) ? der(0x87, Buffer.from(each.split(".").map(Number))) : der(0x82, Buffer.from(each)),
    ),
  );
  const subjectAltName = sequence(der(0x06, Buffer.from("551d11", "hex")), der(0x04, alternatives));
  const one = der(0x02, Buffer.from([1]));
  const toBeSigned = sequence(
    ...[der(0xa0, der(0x02, Buffer.from([2]))), one, algorithm, name, validity, name],
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", toBeSigned, privateKey)]);
  const text = sequence(toBeSigned, algorithm, der(0x03, signature)).toString("base64");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

/** Encodes tag, length and contents (X.690). The contents have less than 65,536 bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), contents]);
}
