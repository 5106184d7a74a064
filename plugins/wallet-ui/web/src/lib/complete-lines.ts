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
  const begun = new Map(
    lines.filter((line) => line.isBeginning).map((line) => [line.transferId, line]),
  )
  const told = lines.map((line) => {
    const beginning = begun.get(line.transferId)
    // Of nearly all of a long history.
    if (beginning === undefined && !book.has(line.updateId)) return line
    const offer = book.paidBy(line.updateId)
    return withPrice(
      offer !== undefined && line.description === ''
        ? withWords(line, { description: offer.description, others: line.others })
        : beginning === undefined || line.isBeginning
          ? line
          : withWords(line, beginning),
      book,
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

/** Of an entry that says nothing of its other side, with what its beginning said. */
function withWords(
  line: HistoryLine,
  { description, others }: Pick<HistoryLine, 'description' | 'others'>,
): HistoryLine {
  return {
    ...line,
    description: line.description === '' ? description : line.description,
    others: line.others.length === 0 ? others : line.others,
  }
}

function withPrice(line: HistoryLine, book: FactBook): HistoryLine {
  const [round, rate] = [book.round(line.updateId), book.rate(line.updateId)]
  return round === undefined && rate === undefined ? line : { ...line, round, rate }
}

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
    return offer === undefined ? [] : [offerLine(update, step, step.turn, { offer, party })]
  })
}

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
