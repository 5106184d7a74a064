// What a plugin says of its options, and of where it is to work, before it is set up.

/** What is wrong with options that are right by themselves. */
export interface OptionProblem {
  /** From the options inwards: `['issuers', 0, 'jwksUrl']`. */
  readonly path: readonly (string | number)[]
  /** What is expected, one line for people. */
  readonly message: string
}

/** What a plugin finds where it is to work, for `ledgerwright doctor`. */
export interface Finding {
  /** `fault`: the service will not start, or not do its work. */
  readonly outcome: 'ok' | 'warning' | 'fault'
  /** How it is, one line without secrets. */
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}
