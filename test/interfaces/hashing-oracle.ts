// The hash of a prepared transaction as docs/hashing.md tells it, written from that page alone:
// shares no code with the service.
import { createHash } from 'node:crypto'

export interface OracleNode {
  readonly kind: 'create' | 'exercise'
  readonly contractId: string
  readonly templateId: string
  /** Payload of a creation, argument of an exercise. */
  readonly value: unknown
  readonly choice?: string
}

export interface OracleReading {
  readonly hash: Uint8Array
  readonly seed: string
  readonly updateId: string
  readonly parties: readonly string[]
  readonly commandId: string
  readonly before: bigint
  readonly inputs: readonly string[]
  readonly nodes: readonly OracleNode[]
  /**
   * Ids of created contracts and of inputs as their contents make them, in the order of nodes and
   * inputs.
   */
  readonly recomputed: { readonly created: readonly string[]; readonly inputs: readonly string[] }
}

const sha = (...parts: readonly (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const H = (...parts: readonly Uint8Array[]): Buffer => sha(Buffer.from('00000030', 'hex'), ...parts)

/** A cursor over bytes. */
function cursor(bytes: Buffer) {
  let at = 0
  const raw = (length: number): Buffer => {
    at += length
    if (at > bytes.length) throw new RangeError('out of bytes')
    return bytes.subarray(at - length, at)
  }
  const int32 = (): number => raw(4).readInt32BE()
  const block = (): Buffer => raw(int32())
  const text = (): string => block().toString('utf8')
  const list = <T>(item: () => T): T[] => {
    const items: T[] = []
    for (let left = int32(); left > 0; left -= 1) items.push(item())
    return items
  }
  return {
    raw,
    int32,
    block,
    text,
    list,
    byte: () => raw(1).readUInt8(),
    int64: () => raw(8).readBigInt64BE(),
    position: () => at,
    since: (start: number) => bytes.subarray(start, at),
    isDone: () => at === bytes.length,
  }
}

const idOf = (
  unique: string,
  template: string,
  name: string,
  signatories: unknown,
  observers: unknown,
  time: string,
  payload: string,
): string =>
  `00${unique}${sha(JSON.stringify([unique, template, name, signatories, observers, time]), payload).toString('hex')}`

/** Reads `preparedTransaction` and computes what is to be signed. */
export function readPrepared(base64: string): OracleReading {
  const whole = cursor(Buffer.from(base64, 'base64'))
  if (whole.byte() !== 1) throw new RangeError('another format')
  const [metadata, transaction] = [whole.block(), whole.block()]
  if (!whole.isDone()) throw new RangeError('more bytes')
  const head = readMetadata(metadata)
  const read = readNodes(transaction, head.seed, head.effectiveAt)
  return {
    ...head,
    hash: H(Buffer.of(0x81), H(transaction), H(metadata)),
    updateId: `1220${sha(head.seed).toString('hex')}`,
    nodes: read.nodes,
    recomputed: { created: read.created, inputs: head.inputIds },
  }
}

function readMetadata(bytes: Buffer) {
  const at = cursor(bytes)
  at.text()
  const partiesAt = at.position()
  const parties = at.list(at.text)
  const partyBytes = at.since(partiesAt)
  const userAt = at.position()
  at.text()
  const userBytes = at.since(userAt)
  const commandAt = at.position()
  const commandId = at.text()
  at.text()
  const commandBytes = at.since(commandAt)
  const nonce = at.raw(32)
  const effectiveAt = at.int64()
  if (at.byte() === 1) at.int64()
  const before = at.int64()
  const expiry = at.raw(8)
  const disclosed = at.list(() => [at.text(), at.text()] as const)
  if (!at.isDone()) throw new RangeError('more metadata')
  const seed = H(Buffer.of(0x82), userBytes, partyBytes, commandBytes, nonce, expiry).toString(
    'hex',
  )
  const inputIds = disclosed.map(([, json]) => {
    const [id, template, name, payload, signatories, observers, time] = JSON.parse(json)
    return idOf(String(id).slice(2, 34), template, name, signatories, observers, time, payload)
  })
  return {
    parties,
    commandId,
    effectiveAt,
    before,
    seed,
    inputs: disclosed.map(([id]) => id),
    inputIds,
  }
}

function readNodes(bytes: Buffer, seed: string, effectiveAt: bigint) {
  const at = cursor(bytes)
  const created: string[] = []
  let number = -1
  const nodes = at.list((): OracleNode => {
    number += 1
    const isCreate = at.byte() === 0
    const [contractId, templateId, name] = [at.text(), at.text(), at.text()]
    if (isCreate) {
      const payload = at.text()
      const [signatories, observers] = [at.list(at.text), at.list(at.text)]
      const unique = sha(`${seed}/${number}`).toString('hex').slice(0, 32)
      created.push(
        idOf(unique, templateId, name, signatories, observers, String(effectiveAt), payload),
      )
      return { kind: 'create', contractId, templateId, value: JSON.parse(payload) }
    }
    if (at.byte() === 1) at.text()
    const [choice, argument] = [at.text(), at.text()]
    at.text()
    at.byte()
    at.list(at.text)
    at.int32()
    return { kind: 'exercise', contractId, templateId, choice, value: JSON.parse(argument) }
  })
  if (!at.isDone()) throw new RangeError('more nodes')
  return { nodes, created }
}
