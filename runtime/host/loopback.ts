// Which addresses only this machine can reach. Everything that is safe only in development checks
// this first.

/** True for `localhost`, `::1` and 127.x.x.x; false for every other name or address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}
