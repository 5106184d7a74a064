// What a person has set in this browser, by the settings page.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'

const CONFIRM = 'wallet-confirm-from'
const NOTIFY = 'wallet-notify'

/**
 * US dollars: what cannot be taken back and is worth as much is asked about once more. 0 where
 * nothing is set: everything is.
 */
export function confirmFrom(): Amount {
  return parseAmount(localStorage.getItem(CONFIRM) ?? '') ?? 0n
}

/** `dollars` as the wire has decimals; '' for everything. */
export function keepConfirmFrom(dollars: string): void {
  if (dollars === '') localStorage.removeItem(CONFIRM)
  else localStorage.setItem(CONFIRM, dollars)
}

/** Whether a payment of this worth is asked about once more; one of unknown worth is. */
export function isConfirmed(dollars: Amount | undefined): boolean {
  return dollars === undefined || dollars >= confirmFrom()
}

/** Whether the browser is to tell of what waits while the page is out of sight. */
export function wantsNotices(): boolean {
  return localStorage.getItem(NOTIFY) === 'yes'
}

export function keepWantsNotices(wants: boolean): void {
  if (wants) localStorage.setItem(NOTIFY, 'yes')
  else localStorage.removeItem(NOTIFY)
}
