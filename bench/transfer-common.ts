// What the processes of bench/transfer.ts have in common: sizes, and how a run is measured and
// told.

/** Also the number of payments under way at once. */
export const PARTIES = 64

export interface Run {
  readonly seconds: number
  /** User and system time of the process. */
  readonly cpuSeconds: number
  /** Ledger end before the transfers, and before the counted ones. */
  readonly before: number
  readonly start: number
  readonly count: number
}

/** Wall and CPU time of `work`. */
export async function timed(
  work: () => Promise<void> | void,
): Promise<Pick<Run, 'seconds' | 'cpuSeconds'>> {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1e3
  const { user, system } = process.cpuUsage(cpu)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}

/** The only line that a process of the benchmark prints. */
export function printRun(run: Run): void {
  console.log(JSON.stringify(run))
}
