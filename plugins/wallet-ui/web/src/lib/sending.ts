// What a payment is before it is made: its kinds, what can be said against it, and what it will do,
// in words.
import { shownAmount, shownDollars, typedAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { numberSeparators, t } from './language.ts'
import type { Standing } from './standing.ts'

/**
 * `one-step`: by the receiver's preapproval; `two-steps`: locked until it is taken; `offer`: paid
 * once it is accepted.
 */
export type Kind = 'one-step' | 'two-steps' | 'offer'

export interface Payment {
  readonly kind: Kind
  /** The receiver. */
  readonly whom: Standing
  readonly amount: Amount
  readonly description: string
  readonly expiry: Expiry
}

interface Expiry {
  readonly label: string
  readonly millis: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
// The network refuses more than 90 days, by a clock that may be a little behind this machine's.
const MARGIN = 60_000
const TEN_DAYS: Expiry = { label: t('10 days'), millis: 10 * DAY }

/** How long a receiver may have to answer. */
export const EXPIRIES: readonly Expiry[] = [
  { label: t('1 hour'), millis: HOUR },
  { label: t('1 day'), millis: DAY },
  TEN_DAYS,
  { label: t('30 days'), millis: 30 * DAY },
  { label: t('60 days'), millis: 60 * DAY },
  { label: t('90 days'), millis: 90 * DAY - MARGIN },
]

/** The one of a label, else ten days. */
export function expiryOf(label: string): Expiry {
  return EXPIRIES.find((expiry) => expiry.label === label) ?? TEN_DAYS
}

export const KIND_TITLES: Readonly<Record<Kind, string>> = {
  'one-step': t('In one step'),
  'two-steps': t('In two steps'),
  offer: t('By offer'),
}

/** One sentence for who chooses. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  'one-step': t(
    'The coin arrives at once, because the receiver has allowed it. You cannot take it back.',
  ),
  'two-steps': t('The coin is locked until the receiver accepts. Until then you can take it back.'),
  offer: t(
    'Nothing moves until the receiver accepts; then your validator pays, if you have the coin by then.',
  ),
}

/** Longest description that the ledger takes. */
export const MOST_LETTERS = 279

/** Facts about a receiver and this validator when the kinds are offered. */
export interface Ways {
  readonly isPreapproved: boolean
  /** The validator does transfers of the token standard. */
  readonly hasTwoSteps: boolean
}

/** The reason why a kind cannot be chosen; undefined if it can. */
export function kindFault(kind: Kind, { isPreapproved }: Ways): string | undefined {
  if (kind === 'one-step' && !isPreapproved) return t('Only for receivers who have allowed it.')
  if (kind === 'two-steps' && isPreapproved)
    return t('Not for this receiver: the coin would arrive at once, as in one step.')
  return undefined
}

/** The kinds that are shown at all. */
export function kindsShown({ hasTwoSteps }: Ways): readonly Kind[] {
  return hasTwoSteps ? ['one-step', 'two-steps', 'offer'] : ['one-step', 'offer']
}

/** The kind that was chosen where it is possible, else the best one that is. */
export function kindFor(chosen: Kind | undefined, ways: Ways): Kind {
  const possible = kindsShown(ways).filter((kind) => kindFault(kind, ways) === undefined)
  return (chosen !== undefined && possible.includes(chosen) ? chosen : possible[0]) ?? 'offer'
}

/**
 * Why an amount as it was typed cannot be sent; undefined where it can. `available` is undefined
 * until it is known.
 */
export function amountFault(
  text: string,
  available: Amount | undefined,
  coin: string,
): string | undefined {
  const typed = text.trim()
  if (typed === '') return t('Enter an amount.')
  const { point, group } = numberSeparators()
  if (group.trim() !== '' && typed.includes(group))
    return t('Write the amount without separators: {0}', `1234${point}5`)
  if (/[.,]\d{11}/u.test(typed)) return t('At most 10 decimal places.')
  const amount = typedAmount(typed)
  if (amount === undefined) return t('That is not an amount.')
  if (amount <= 0n) return t('The amount must be above zero.')
  if (available === undefined) return t('Your balance is not known yet.')
  return amount > available
    ? t('You have {0} {1} available.', shownAmount(available), coin)
    : undefined
}

/** `12.50 CC (about $0.06)`. */
export function amountText(amount: Amount, coin: string, rate: Amount | undefined): string {
  const dollars = shownDollars(amount, rate)
  return `${shownAmount(amount)} ${coin}${dollars === undefined ? '' : t(' (about {0})', dollars)}`
}

interface Told {
  /** The amount in the form of `amountText`. */
  readonly amount: string
  /** The receiver, for people. */
  readonly name: string
  readonly expiry: Expiry
}

/** The state of a payment. */
export type SentState = 'paid' | 'locked' | 'offered'

/** Text on what has happened, and what comes next. */
export function sentText(state: SentState, { amount, name, expiry }: Told): string {
  switch (state) {
    case 'paid':
      return t('{0} sent to {1}.', amount, name)
    case 'locked':
      return t(
        '{0} is locked for {1}. You find it under Offers until {2} accepts it or you withdraw it, {3} at most.',
        amount,
        name,
        name,
        expiry.label,
      )
    case 'offered':
      return t(
        '{0} is offered to {1}. You find it under Offers until {2} accepts it or you withdraw it, {3} at most.',
        amount,
        name,
        name,
        expiry.label,
      )
  }
}
