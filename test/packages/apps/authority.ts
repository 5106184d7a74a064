// The rule of authority, against what a transaction shows: a contract is created with the authority
// of its signatories, a choice exercised with that of its actors, and what a choice does has its
// actors' and the authority of those who signed the contract. docs/authority.md
import { list, path } from '../../interfaces/ledger-kit.ts'

interface Frame {
  readonly last: number
  /** Undefined below contracts that nobody has shown. */
  readonly parties: ReadonlySet<string> | undefined
}

/**
 * Nodes of a transaction, in their order, that lack authority. `signatories` has those of contracts
 * seen so far, and gets those of the new ones.
 */
export function faultsOf(
  events: readonly unknown[],
  actAs: readonly string[],
  signatories: Map<string, readonly string[]>,
): readonly string[] {
  const frames: Frame[] = [{ last: Infinity, parties: new Set(actAs) }]
  return events.flatMap((event) => {
    const [created, exercised] = [path(event, 'CreatedEvent'), path(event, 'ExercisedEvent')]
    const node = created ?? exercised
    while (Number(path(node, 'nodeId')) > (frames.at(-1)?.last ?? Infinity)) frames.pop()
    const { parties } = frames.at(-1) ?? { parties: undefined }
    const needed = textsOf(path(node, created === undefined ? 'actingParties' : 'signatories'))
    const contractId = String(path(node, 'contractId'))
    const signed = created === undefined ? signatories.get(contractId) : needed
    if (created !== undefined) signatories.set(contractId, needed)
    else
      frames.push({
        last: Number(path(node, 'lastDescendantNodeId')),
        parties: signed && new Set([...needed, ...signed]),
      })
    const lacking = needed.filter((party) => parties?.has(party) === false)
    return lacking.map((party) => `${String(path(node, 'templateId'))} without ${party}`)
  })
}

/** Parties that see a part of it. */
export function witnesses(events: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      textsOf(path(path(event, 'CreatedEvent') ?? path(event, 'ExercisedEvent'), 'witnessParties')),
    ),
  )
}

function textsOf(value: unknown): readonly string[] {
  return list(value).map(String)
}
