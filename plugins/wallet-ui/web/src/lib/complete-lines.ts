// Lines of the history with what their entries lack: the text and the counterparty of what came
// back, offers that were never paid, and the price at the time.
import { shownAmount } from './amount.ts'
import type { HistoryLine } from './history-line.ts'
import { t } from './language.ts'
import type { FactBook, OfferMade, OfferStep, OfferTurn, UpdateFacts } from './ledger-facts.ts'

/**
 * The lines in their order, newest first, and those of offers among them as far back as the lines
 * reach. `isWhole`: there are no older lines.
 */
export function completeLines(
  lines: readonly HistoryLine[],
  book: FactBook,
  party: string,
  isWhole: boolean,
): readonly HistoryLine[] {
  const begun = new Map<string, HistoryLine>()
  for (const line of lines) if (line.isBeginning) begun.set(line.transferId, line)
  const told = lines.map((line) => {
    const beginning = begun.get(line.transferId)
    // Of nearly all of a long history.
    if (beginning === undefined && !book.has(line.updateId)) return line
    const offer = book.paidBy(line.updateId)
    return withAll(
      line,
      book,
      offer !== undefined && line.description === ''
        ? { description: offer.description, others: line.others }
        : beginning === undefined || line.isBeginning
          ? line
          : beginning,
    )
  })
  const oldest = isWhole ? '' : (lines.at(-1)?.at ?? '~')
  const offers = [...book.updates]
    .filter(({ at }) => at >= oldest)
    .flatMap((update) => offerLines(update, book, party))
  return offers.length === 0
    ? told
    : [...told, ...offers].toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1))
}

/**
 * What was made of a line before. As long as nothing more is known of it, it stays the same object:
 * with each page thousands of others would have been made, for the browser to clear up while
 * somebody scrolls.
 */
const made = new WeakMap<HistoryLine, HistoryLine>()

/**
 * A line with the price at its time and, where its entry says nothing of its other side, with the
 * words of what began it.
 */
function withAll(line: HistoryLine, book: FactBook, words: Words): HistoryLine {
  const description = line.description === '' ? words.description : line.description
  const others = line.others.length === 0 ? words.others : line.others
  const [round, rate] = [book.round(line.updateId), book.rate(line.updateId)]
  const before = made.get(line) ?? line
  if (
    before.round === round &&
    before.rate === rate &&
    before.description === description &&
    before.others === others
  )
    return before
  const whole = { ...line, description, others, round, rate }
  made.set(line, whole)
  return whole
}

type Words = Pick<HistoryLine, 'description' | 'others'>

/** Being accepted is no end: the payment comes, or what stands in its place. */
type Shown = Exclude<OfferTurn, 'accepted' | 'paid'>

const TITLES: Readonly<Record<Shown, { readonly sender: string; readonly receiver: string }>> = {
  made: { sender: t('Offer made'), receiver: t('Offer to you') },
  withdrawn: { sender: t('Offer withdrawn'), receiver: t('Offer to you was withdrawn') },
  rejected: { sender: t('Offer was rejected'), receiver: t('Offer to you rejected') },
  expired: { sender: t('Offer expired'), receiver: t('Offer to you expired') },
  unpaid: { sender: t('Accepted offer not paid'), receiver: t('Accepted offer was not paid') },
}

function offerLines(update: UpdateFacts, book: FactBook, party: string): readonly HistoryLine[] {
  return update.steps.flatMap((step) => {
    if (step.turn === 'accepted' || step.turn === 'paid') return []
    const offer = book.offer(step)
    if (offer === undefined) return []
    const line = offersLines.get(step) ?? offerLine(update, step, step.turn, { offer, party })
    offersLines.set(step, line)
    return [line]
  })
}

/** The lines of `made` for steps. */
const offersLines = new WeakMap<OfferStep, HistoryLine>()

interface Side {
  readonly offer: OfferMade
  readonly party: string
}

function offerLine(
  { updateId, at, round, rate }: UpdateFacts,
  { id }: OfferStep,
  turn: Shown,
  { offer, party }: Side,
): HistoryLine {
  const isSender = offer.sender === party
  return {
    id: `${updateId}:${id.slice(-12)}`,
    updateId,
    at,
    group: 'payment' as const,
    title: TITLES[turn][isSender ? 'sender' : 'receiver'],
    amount: 0n,
    others: [isSender ? offer.receiver : offer.sender],
    isSender,
    description: offer.description,
    note: t('{0} offered, no coin moved', shownAmount(offer.amount)),
    choice: `TransferOffer ${turn}`,
    transferId: id,
    isBeginning: false,
    entry: undefined,
    round,
    rate,
  }
}
