// Ids of contracts and updates, and created-event blobs. A contract id is `00`, 4 bytes of the
// creation time, 12 bytes that come from the transaction's seed and the node, and 32 bytes that
// come from those and the content: whoever alters a contract that was disclosed gets another id. An
// update id is `1220`, 4 bytes of its time and 28 of the seed's hash. The time keeps what is
// written together on the same few pages of an index. docs/ledger-rules.md, "Contract ids",
// docs/hashing.md
import { hash } from 'node:crypto'
import type { ContractRecord } from '../store/store.ts'

const VERSION = '00'
const UNIQUE_HEX = 32
const TIME_HEX = 8
const UPDATE_UNIQUE_HEX = 56
const TIME_UNIT_MICROS = 65_536n
const QUOTED_ID = /"(00[0-9a-f]{96})"/g

/** Content that a contract id proves. */
type ContractContent = Pick<
  ContractRecord,
  'templateId' | 'packageName' | 'payload' | 'signatories' | 'observers' | 'createdAt'
>

/** A disclosed contract's members, in this order. */
type Disclosed = readonly [
  contractId: string,
  templateId: string,
  packageName: string,
  payload: string,
  signatories: readonly string[],
  observers: readonly string[],
  createdAt: string,
]

/** The id of the contract that node `node` of the transaction with this seed creates. */
export function contractIdOf(seed: string, node: number, content: ContractContent): string {
  const unique = timeHex(content.createdAt) + hash('sha256', `${seed}/${node}`)
  return idFrom(unique.slice(0, UNIQUE_HEX), content)
}

/** The id of the update with this seed, of which `time` is the effective time in microseconds. */
export function updateIdOf(seed: string | Uint8Array, time: bigint): string {
  return `1220${timeHex(time)}${hash('sha256', seed).slice(0, UPDATE_UNIQUE_HEX)}`
}

/** Begins again after nine years, which costs nothing but places in the index. */
function timeHex(createdAt: bigint): string {
  const units = BigInt.asUintN(32, createdAt / TIME_UNIT_MICROS)
  return units.toString(16).padStart(TIME_HEX, '0')
}

function idFrom(unique: string, content: ContractContent): string {
  const { templateId, packageName, payload, signatories, observers, createdAt } = content
  const parts = JSON.stringify([
    unique,
    templateId,
    packageName,
    signatories,
    observers,
    createdAt.toString(),
  ])
  return VERSION + unique + hash('sha256', `${parts}${payload}`)
}

/** Whether the content of a contract is the one that its id vouches for. */
export function isGenuine(contract: ContractContent & Pick<ContractRecord, 'contractId'>): boolean {
  const { contractId } = contract
  return (
    idFrom(contractId.slice(VERSION.length, VERSION.length + UNIQUE_HEX), contract) === contractId
  )
}

/** The contract ids in a JSON text, each once. */
export function contractIdsIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(QUOTED_ID), ([, id = '']) => id))]
}

/** A contract as base64 text that can be handed to others, who disclose it with a command. */
export function encodeBlob(contract: ContractRecord): string {
  const { contractId, templateId, packageName, payload, signatories, observers, createdAt } =
    contract
  const disclosed: Disclosed = [
    contractId,
    templateId,
    packageName,
    payload,
    signatories,
    observers,
    createdAt.toString(),
  ]
  return Buffer.from(JSON.stringify(disclosed)).toString('base64')
}

/**
 * The id of the contract that a blob discloses; undefined where the blob is none or was altered.
 */
export function verifyBlob(blob: string): string | undefined {
  return disclosedContract(blob)?.contractId
}

/** The contract that a blob discloses; undefined where the blob is none or was altered. */
export function disclosedContract(
  blob: string,
): (ContractContent & Pick<ContractRecord, 'contractId'>) | undefined {
  const disclosed = parse(blob)
  if (disclosed === undefined) return undefined
  const [contractId, templateId, packageName, payload, signatories, observers, createdAt] =
    disclosed
  const contract = {
    contractId,
    templateId,
    packageName,
    payload,
    signatories,
    observers,
    createdAt: BigInt(createdAt),
  }
  return isGenuine(contract) ? contract : undefined
}

function parse(blob: string): Disclosed | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(blob, 'base64').toString())
    return isDisclosed(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isDisclosed(value: unknown): value is Disclosed {
  if (!Array.isArray(value) || value.length !== 7) return false
  const [contractId, templateId, packageName, payload, signatories, observers, createdAt] = value
  return (
    [contractId, templateId, packageName, payload].every(isText) &&
    isTexts(signatories) &&
    isTexts(observers) &&
    isText(createdAt) &&
    /^-?\d{1,20}$/.test(createdAt)
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}
