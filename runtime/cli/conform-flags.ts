// The options of the command `conform`, as commander hands them over.
export interface ConformFlags {
  readonly url: string
  readonly spec?: readonly string[]
  readonly overlay?: readonly string[]
  readonly vocabulary?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly header?: readonly string[]
  readonly runs: string
  readonly extremes: string
  readonly seed?: string
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly maxResponseMs?: string
  readonly timeoutMs: string
  readonly allow?: readonly string[]
  readonly report?: readonly string[]
  readonly seconds?: string
  readonly readOnly?: true
  readonly failFast?: true
  readonly cache?: string
  readonly parallel: string
}
