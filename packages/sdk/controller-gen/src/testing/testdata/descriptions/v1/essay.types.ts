import type { KubeObject } from "@operator-path/controller-gen/types";

/** EssaySpec has a very long description in a single line that goes on and on until it has to be folded somewhere, which happens at spaces only, and once more if it does not come to its end soon. */
export interface EssaySpec {
  // Short.
  short: string;
  // Two
  // lines.
  two: string;
  /**
   * A paragraph.
   *
   * Another one,   with spaces.
   *   - indented
   *
   *
   * After two empty lines.
   */
  paragraphs?: string;
  // Before.
  // TODO: this is left out.
  // After.
  // ---
  // Everything below the dashes is left out.
  todo: string;
  /**
   * Code:
   * ```yaml
   * TODO: kept
   * ---
   * a: b
   * ```
   * end
   */
  code: string;
  /** key: value in a line, that has to be quoted, it's clear and needs to be folded because it is long, too. */
  colon: string;
  /** # begins with a hash */
  hash: string;
  /** "begins with a quote" */
  quote: string;
  /** Grüße, 世界: ünïcödé is counted by characters and not by bytes, which matters for folding äöü äöü äöü äöü. */
  unicode: string;
  /** An emoji 🎉 cannot be written plainly, and a line with one in it is quoted twice, and folded when it is too long. */
  emoji: string;
  /** A tab	inside. */
  tab: string;
  /** Backslash \ and "quotes" and 'apostrophes'. */
  escapes: string;
  /** yes */
  yes: string;
  /** 12 */
  twelve: string;
  /** A-line-without-any-space-in-it-cannot-be-folded-however-long-it-may-be-and-so-it-stays-as-it-is-to-the-end and goes on. */
  unbroken: string;
  /** Ends with a colon: */
  endsWithColon: string;
  none: string;
  x1: string;
  x10: string;
  x2: string;
  Upper: string;
  "da-sh": string;
  da_sh: string;
  $dollar: string;
  y: string;
}

/**
 * Essay says much.
 *
 * It has two paragraphs.
 */
export interface Essay extends KubeObject {
  spec?: EssaySpec;
}
