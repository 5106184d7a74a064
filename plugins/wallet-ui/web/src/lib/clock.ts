// What the ledger takes for the time: this machine's, unless a development server's clock is
// simulated and says otherwise.

let simulatedMs: number | undefined

/** Milliseconds since 1970. Whatever is compared with an expiry is this, not `Date.now()`. */
export function ledgerNow(): number {
  return simulatedMs ?? Date.now()
}

/** Keeps the simulated clock's time; undefined if the time is that of the day. */
export function keepSimulatedTime(ms: number | undefined): void {
  simulatedMs = ms
}
