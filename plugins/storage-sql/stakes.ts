// Who has a stake in which contract, and when: the rows by which snapshots find contracts. An
// active contract is under node 0. One that was active from offset `first` to offset `last` is
// under the number between them that has the most zeros at its end: all contracts of a node were
// active together, hence there are never many, and those that were active at an offset are under
// node 0 or under one of the few dozen nodes that the offset itself names.
// docs/decisions/0002-sql-storage.md
import { hash } from 'node:crypto'
import { templateKey } from './template-key.ts'

/** Party hash, template hash, node, sequence, offset of the archive. */
export type StakeRow = readonly [bigint, number, bigint, bigint, bigint]

/** The parts of a contract from which its stakes are made. */
export interface StakeHolder {
  readonly sequence: bigint
  /** The template, by `templateOf`. */
  readonly template: string
  readonly createdOffset: bigint
  /** 0 while it is active. */
  readonly archivedOffset: bigint
  readonly signatories: readonly string[]
  readonly observers: readonly string[]
}

/** Stands for everybody: every contract is under it too. No party has this id. */
export const EVERYBODY = ''

/** The node of active contracts. */
export const ACTIVE_NODE = 0n

const INT64_BITS = 63n

/** Parties whose hash is remembered; a few are in every contract. */
const MOST_REMEMBERED = 10_000

const hashes = new Map<string, bigint>()

/**
 * Eight bytes that stand for a party in the index; whoever reads by them looks at the contract too.
 */
export function partyHash(party: string): bigint {
  const known = hashes.get(party)
  if (known !== undefined) return known
  if (hashes.size === MOST_REMEMBERED) hashes.clear()
  const made = hash('sha256', party, 'buffer').readBigInt64BE()
  hashes.set(party, made)
  return made
}

/**
 * One for each stakeholder and one for everybody; none of a contract that was never active after an
 * update.
 */
export function stakeRows(holder: StakeHolder): readonly StakeRow[] {
  const { sequence, template, createdOffset, archivedOffset, signatories, observers } = holder
  if (archivedOffset === createdOffset) return []
  const node = nodeOf(createdOffset, archivedOffset)
  const key = templateKey(template)
  const parties = new Set([EVERYBODY, ...signatories, ...observers])
  return Array.from(parties, (party) => [
    partyHash(party),
    key,
    node,
    sequence,
    archivedOffset,
  ])
}

/**
 * The node of a contract that is active from the first of two different offsets until right before
 * the second.
 */
function nodeOf(createdOffset: bigint, archivedOffset: bigint): bigint {
  if (archivedOffset === 0n) return ACTIVE_NODE
  const [before, last] = [createdOffset - 1n, archivedOffset - 1n]
  const zeros = BigInt((before ^ last).toString(2).length - 1)
  return (last >> zeros) << zeros
}

/** The nodes under which a contract may be that was active right after an offset. */
export function nodesAt(offset: bigint): readonly bigint[] {
  const nodes = new Set([ACTIVE_NODE])
  for (let zeros = 0n; zeros < INT64_BITS; zeros += 1n) {
    const from = offset >> zeros
    nodes.add(from << zeros)
    nodes.add((from + 1n) << zeros)
  }
  return [...nodes].filter((node) => BigInt.asIntN(64, node) === node)
}
