// Identifiers of parties, participants and synchronizers: a name and the fingerprint of the
// namespace that it belongs to. docs/ledger-rules.md, "Topology"
import { texts } from './texts.ts'
import { fill } from '../../errors/catalogue.ts'

interface UniqueIdentifier {
  readonly name: string
  readonly namespace: string
}

const DELIMITER = '::'
/** Longest name of an identifier. */
export const MAX_NAME_LENGTH = 185
const MAX_NAMESPACE_LENGTH = 68
/** Spaces at an end, or two in succession, with which different ids would look the same. */
const UNSEEN_SPACE = /^ | {2}| $/u
const STRANGER = /[^A-Za-z0-9:\-_ ]/u
const PHYSICAL = /^(.+)::\d{1,10}-\d{1,10}$/

/** The id of a party, participant or synchronizer. */
export function uniqueIdentifier(name: string, namespace: string): string {
  return name + DELIMITER + namespace
}

/** The problem with the name part, also called hint, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return texts.nameEmpty
  if (name.includes(DELIMITER)) return texts.reservedDelimiter
  if (UNSEEN_SPACE.test(name)) return texts.unseenSpace
  return partProblem(name, MAX_NAME_LENGTH)
}

/** Parts of an identifier, or what is wrong with it. */
export function parseUniqueIdentifier(text: string): UniqueIdentifier | string {
  const at = text.lastIndexOf(DELIMITER)
  if (at < 0) return fill(texts.identifierWithoutNamespace, { value: text })
  const parts = { name: text.slice(0, at), namespace: text.slice(at + DELIMITER.length) }
  const problem =
    nameProblem(parts.name) ??
    (parts.namespace === '' ? texts.namespaceEmpty : undefined) ??
    partProblem(parts.namespace, MAX_NAMESPACE_LENGTH)
  return problem === undefined ? parts : fill(texts.malformedIdentifier, { value: text, problem })
}

/**
 * The id of the synchronizer behind a physical id, which adds protocol version and serial; others
 * stay as they are.
 */
export function logicalSynchronizerId(id: string): string {
  return PHYSICAL.exec(id)?.[1] ?? id
}

function partProblem(text: string, max: number): string | undefined {
  if (text.length > max)
    return fill(texts.tooLong, { max: String(max), length: String(text.length) })
  const stranger = STRANGER.exec(text)?.[0]
  return stranger === undefined
    ? undefined
    : fill(texts.character, { character: stranger, value: text })
}
