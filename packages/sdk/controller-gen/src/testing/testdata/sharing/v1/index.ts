export type { Country as CountryCode } from "../shared/address.ts";
export type { Car } from "./car.types.ts";
