// What a plugin says of its options, and of where it is to work, before it is set up.

/** A problem with options that are valid by themselves. */
export interface OptionProblem {
  /** Path from the options inwards: `['issuers', 0, 'jwksUrl']`. */
  readonly path: readonly (string | number)[]
  /** The expected value, one line for people. */
  readonly message: string
}

/** A plugin's finding on its surroundings, for `ledgerwright doctor`. */
export interface Finding {
  /** `fault`: the service will not start, or not do its work. */
  readonly outcome: 'ok' | 'warning' | 'fault'
  /** The finding, one line without secrets. */
  readonly text: string
  /** Advice on the finding. */
  readonly advice?: string
}
