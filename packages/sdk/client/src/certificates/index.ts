export {
  type Authority,
  canSign,
  clockSkew,
  createAuthority,
  createServingCertificate,
  type KeyPair,
  readAuthority,
  type ServingCertificate,
} from "./authority.ts";
