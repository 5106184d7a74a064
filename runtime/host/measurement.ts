// Numbers of the host and the services, in the form for plugins that observe. They are plain
// numbers until a plugin reads them.

/** One number, or one distribution, under a name with labels. */
export type Measurement =
  | {
      /** Counters only rise; gauges say how things stand now. */
      readonly kind: 'counter' | 'gauge'
      /** `a-z0-9_`; seconds and bytes, never parts of them. */
      readonly name: string
      readonly help: string
      readonly samples: readonly {
        readonly labels: Readonly<Record<string, string>>
        readonly value: number
      }[]
    }
  | {
      readonly kind: 'histogram'
      readonly name: string
      readonly help: string
      readonly distribution: Distribution
    }

/** Numbers of values that were at most so large. */
export interface Distribution {
  /** Upper bounds, rising. */
  readonly bounds: readonly number[]
  /** Counts of each bound's values above the bound before; one more for those above all bounds. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** Asked whenever somebody looks; it may be left out where it rejects or takes too long. */
export type MeasurementSource = () => readonly Measurement[] | Promise<readonly Measurement[]>
