// What everything that was signed or issued is good for: which ledger, node, topology, time and
// inputs, and how often. docs/external-parties.md, docs/authentication.md
import { nodeSpace } from '../../../runtime/participant/node.ts'
import type { Place } from './ledger.ts'
import { isSame } from './owner.ts'
import type { Standing } from './owner.ts'

/** The history of a ledger: copied with its data. */
export interface Past {
  /** Another one for each ledger that ever was. */
  readonly ledger: string
  /** Base of the serials of topology. */
  readonly base: number
  readonly standings: ReadonlyMap<string, Standing>
  /** Things done once, and when by the ledger, milliseconds. */
  readonly used: ReadonlyMap<string, number>
  /** Contracts that are archived. */
  readonly spent: ReadonlySet<string>
  /** The party of each user's wallet. */
  readonly wallets: ReadonlyMap<string, string>
}

interface Succession {
  readonly party: string
  readonly after: Standing | undefined
  readonly next: Standing
}

/** Every part that is there has to fit. */
export interface Binds {
  readonly ledger?: string
  /** `Place.name` of the node whose tokens the issuer makes: these name no ledger. */
  readonly issuer?: string
  /** Uid of the node that a token is for. */
  readonly audience?: string
  /** Fingerprints of keys that have signed for a party, which the node must host. */
  readonly signers?: { readonly party: string; readonly keys: readonly string[] }
  /** Next topology of a party, signed by the owners that it had. */
  readonly hosting?: Succession
  /** A user that must have a wallet. */
  readonly wallet?: string
  /** End by the ledger, milliseconds. */
  readonly before?: number
  readonly inputs?: readonly string[]
  /** Done at most once: again after `renewsMs` where it is there. */
  readonly once?: { readonly name: string; readonly renewsMs?: number }
}

/** `harmless`: an answer is no harm, a change of the ledger is. */
export type Verdict = 'refuse' | 'harmless' | 'once'

export interface At {
  readonly place: Pick<Place, 'name' | 'uid'>
  readonly past: Past
  readonly now: number
}

/** The verdict that the service may reach there and then. */
export function verdictOf(binds: Binds, at: At): Verdict {
  const { hosting, once } = binds
  const { standings, used } = at.past
  // A copy of a ledger has what its origin has.
  const inForce = standings.get(hosting?.party ?? '')
  if (hosting !== undefined && isSame(hosting.next, inForce)) return 'harmless'
  if (!mayCount(binds, at)) return 'refuse'
  if (hosting !== undefined) return 'once'
  if (once === undefined) return 'harmless'
  const last = used.get(usedAs(binds, at.past))
  const { renewsMs = Infinity } = once
  return last === undefined || at.now - last >= renewsMs ? 'once' : 'harmless'
}

function mayCount(binds: Binds, { place, past, now }: At): boolean {
  const { ledger, issuer, audience, signers, hosting, wallet, before, inputs = [] } = binds
  return (
    (ledger === undefined || ledger === past.ledger) &&
    (issuer === undefined || issuer === place.name) &&
    (audience === undefined || audience === place.uid) &&
    (signers === undefined || maySign(signers, past, place.uid)) &&
    (hosting === undefined || mayFollow(hosting, past, place.uid)) &&
    (wallet === undefined || past.wallets.has(wallet)) &&
    (before === undefined || now < before) &&
    (isDone(binds, past) || inputs.every((id) => !past.spent.has(id)))
  )
}

function isDone(binds: Binds, past: Past): boolean {
  return past.used.has(usedAs(binds, past))
}

/** An id of a wallet's is that of its party: a later wallet of the user may use it again. */
function usedAs({ once, wallet = '' }: Binds, { wallets }: Past): string {
  return `${wallets.get(wallet) ?? ''} ${once?.name ?? ''}`
}

function maySign(
  { party, keys }: NonNullable<Binds['signers']>,
  { standings }: Past,
  uid: string,
): boolean {
  const standing = standings.get(party)
  if (standing === undefined || nodeSpace(standing.host) !== nodeSpace(uid)) return false
  const own = standing.keys.filter(({ fingerprint }) => keys.includes(fingerprint))
  return own.length === keys.length && own.length >= standing.threshold
}

function mayFollow({ party, after, next }: Succession, { standings }: Past, uid: string): boolean {
  return next.host === uid && isSame(standings.get(party), after)
}

/** The same past with something done. */
export function done(binds: Binds, past: Past, now: number): Past {
  const { hosting, once, inputs = [] } = binds
  return {
    ...past,
    standings:
      hosting === undefined
        ? past.standings
        : new Map([...past.standings, [hosting.party, hosting.next]]),
    used: once === undefined ? past.used : new Map([...past.used, [usedAs(binds, past), now]]),
    spent: new Set([...past.spent, ...inputs]),
  }
}
