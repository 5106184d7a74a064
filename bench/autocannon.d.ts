// The part of the load generator's interface that the benchmarks use; it ships no types.
declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly method: 'GET' | 'POST'
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }

  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
  }

  export default function autocannon(options: Options): Promise<Result>
}
