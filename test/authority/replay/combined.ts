// What somebody makes of kept parts: signatures on other bytes, old keys and definitions beside a
// new hosting.
import { member } from '../../../runtime/host/member.ts'
import { list, path } from '../../interfaces/ledger-kit.ts'
import { EXECUTE } from '../../nodes/outside-party.ts'
import type { Kept } from './kept.ts'
import { namesOf } from './kept.ts'
import type { Place } from './ledger.ts'
import { hostingOf, newHolders, serialAfter, transactionsOf } from './owner.ts'
import type { Topology } from './owner.ts'
import { allocation, hintOf, pastOf } from './scene.ts'
import type { Scene } from './scene.ts'

/** Good for nothing, wherever it is sent. */
const NOWHERE = { ledger: '' }

/** The signatures of one transaction beside the bytes of another one. */
export function swapped({ kept, dice }: Scene): readonly Kept[] {
  const signed = kept.filter(({ line }) => line === EXECUTE)
  if (signed.length < 2) return []
  const [one, other] = [dice.pick(signed), dice.pick(signed)]
  if (one === other || typeof one.body !== 'object') return []
  const preparedTransaction = member(other.body, 'preparedTransaction')
  return [
    {
      ...one,
      what: `${other.what}, with the signatures of ${one.what}`,
      binds: NOWHERE,
      body: { ...one.body, preparedTransaction },
    },
  ]
}

/** A transaction that several keys have signed, with the signature of one. */
export function halved({ kept }: Scene): readonly Kept[] {
  return kept.flatMap((one) => {
    const { line, body, binds, what } = one
    if (line !== EXECUTE || typeof body !== 'object' || (binds.signers?.keys.length ?? 0) < 2)
      return []
    const all = path(body, 'partySignatures', 'signatures', 0)
    const signatures = list(path(all, 'signatures')).slice(0, 1)
    const party = path(all, 'party')
    return [
      {
        ...one,
        what: `${what}, with one signature`,
        binds: NOWHERE,
        body: { ...body, partySignatures: { signatures: [{ party, signatures }] } },
      },
    ]
  })
}

/** Topology put together of parts. */
export function combined(scene: Scene, place: Place): readonly Kept[] {
  return [...oldKeys(scene, place), ...oldDefinitions(scene, place)]
}

/** The keys of another topology of the party beside a hosting that names none. */
function oldKeys({ topologies }: Scene, place: Place): readonly Kept[] {
  const apart = topologies.filter(({ keys }) => keys.length > 0)
  return apart.flatMap((hosting) =>
    apart
      .filter(({ own, standing }) => own === hosting.own && standing.keys !== hosting.standing.keys)
      .map(({ keys }) => remade(place, { ...hosting, keys }, 'old keys')),
  )
}

/** A hosting that the first owner signs alone, beside what all owners agreed to before. */
function oldDefinitions(scene: Scene, place: Place): readonly Kept[] {
  const { pair } = scene.parties
  const [first] = pair.founders
  const standing = pastOf(scene, place.ledger).standings.get(pair.party)
  if (first === undefined || standing === undefined) return []
  const { holders, needed } = standing.owners
  // An owner who need not ask the others does nothing wrong.
  if (needed === 1 && holders.includes(first)) return []
  const keys = newHolders(1)
  const serial = serialAfter(standing.serial, pastOf(scene, place.ledger).base)
  const next = { ...standing, keys, threshold: 1, serial, host: place.uid }
  const hosting = hostingOf(pair, next, { signers: [first, ...keys] })
  return scene.topologies
    .filter(({ own }) => own === pair)
    .map((old) => remade(place, { ...old, hosting, keys: [] }, 'one owner'))
}

function remade(place: Place, topology: Topology, how: string): Kept {
  return {
    what: `hosting of ${hintOf(topology.own)} with ${how}`,
    binds: NOWHERE,
    made: namesOf(place),
    ...allocation(place, transactionsOf(topology)),
  }
}
