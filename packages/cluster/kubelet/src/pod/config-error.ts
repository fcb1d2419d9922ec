/** A container whose specification cannot be carried out as things are: its waiting state says CreateContainerConfigError. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
