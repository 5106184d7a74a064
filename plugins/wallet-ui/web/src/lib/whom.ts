// Whom a text names. A name is that of a contact or of a party of the own validator; who was paid
// before, holds a name of the network or has a name that draws alike is put up for a choice, and
// nobody else is named. Every way to a payment goes through here: what is typed, links and their
// pictures, people, names of the network.
import { skeletonOf } from './look-alike.ts'
import { hintOf, isPartyId } from './party.ts'

/** A party that the person has given a name. */
interface Called {
  readonly party: string
  readonly name: string
}

/** Parties that a text can name. */
export interface Candidates {
  /** Party id of the person, who is nobody to be paid. */
  readonly own: string
  readonly contacts: readonly Called[]
  /** Parties that payments of the person have reached. */
  readonly paid: readonly string[]
  /** Party of that hint at the own validator. */
  readonly near?: string | undefined
  /** The holder of the text as a name of the network. */
  readonly holder?: string | undefined
}

export type Named =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'one'; readonly party: string }
  /** Parties to choose from, even if there is only one. */
  | { readonly kind: 'choice'; readonly parties: readonly string[] }

/** The party that `text` names: a whole party id names itself. */
export function named(text: string, candidates: Candidates): Named {
  if (isPartyId(text)) return { kind: 'one', party: text }
  const meant = meantBy(text, candidates)
  const parties = [...new Set([...meant, ...offeredFor(text, candidates)])].filter(
    (party) => party !== candidates.own,
  )
  const [first] = parties
  if (first === undefined)
    return meant.length > 0 ? { kind: 'one', party: candidates.own } : { kind: 'nobody' }
  return parties.length === 1 && meant.includes(first)
    ? { kind: 'one', party: first }
    : { kind: 'choice', parties }
}

/** Parties that a name pays if nobody else is called so. */
function meantBy(text: string, { contacts, near }: Candidates): readonly string[] {
  const called = contacts.filter(({ name }) => folded(name) === folded(text))
  return [...called.map(({ party }) => party), ...(near === undefined ? [] : [near])]
}

/** Parties that are shown beside them, and never paid by the name alone. */
function offeredFor(text: string, { contacts, paid, holder }: Candidates): readonly string[] {
  const skeleton = skeletonOf(text)
  const alike = contacts.filter(({ name }) => skeletonOf(name) === skeleton)
  return [
    ...(holder === undefined ? [] : [holder]),
    ...alike.map(({ party }) => party),
    ...paid.filter((party) => skeletonOf(hintOf(party)) === skeleton),
  ]
}

function folded(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}
