// One archive of a DAR: an envelope whose payload's hash is the package's id, and in the payload
// the language version and the package's bytes. docs/ledger-rules.md, "Packages"
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { Budget, MalformedArchive, Message } from './message.ts'

/** Language versions of the second major version that are out of the making. */
export const languageVersions: readonly string[] = ['2.1', '2.2', '2.3']

const SHA256 = 0
const HASH_BYTES_PER_TURN = 4 * 1024 * 1024
const ENVELOPE_FIELDS = 16
/** A dot and a number, or a word for versions in the making. */
const MINOR = /^[a-z0-9.]{1,32}$/

/** An archive whose id is the hash of its payload; the bytes are views of what was read. */
export interface Archive {
  readonly packageId: string
  /** The language's version, such as `2.1`. */
  readonly languageVersion: string
  readonly payload: Uint8Array
  readonly lfPackage: Uint8Array
}

/** Reads an archive and checks its hash. Throws MalformedArchive. */
export async function readArchive(bytes: Uint8Array): Promise<Archive> {
  const payload = await readEnvelope(bytes)
  return { ...payload, ...readPayload(payload.payload) }
}

/** The payload alone, with its verified id. Throws MalformedArchive. */
export async function readEnvelope(
  bytes: Uint8Array,
): Promise<Pick<Archive, 'packageId' | 'payload'>> {
  const envelope = Message.in(bytes, new Budget(ENVELOPE_FIELDS))
  onlyFields(envelope, [1, 3, 4])
  if (envelope.number(1) !== SHA256) throw new MalformedArchive('Unrecognized hash function')
  const payload = envelope.bytes(3)
  const stated = envelope.text(4)
  const packageId = await sha256(payload)
  if (stated !== packageId)
    throw new MalformedArchive(
      `Mismatching hashes! Expected ${packageId} but got ${stated.slice(0, 100)}`,
    )
  return { packageId, payload }
}

/** What a stored payload is: its hash is its package's id. Throws MalformedArchive. */
export function readPayload(bytes: Uint8Array): Pick<Archive, 'languageVersion' | 'lfPackage'> {
  const payload = Message.in(bytes, new Budget(ENVELOPE_FIELDS))
  onlyFields(payload, [2, 3, 4, 5])
  const minor = payload.text(3)
  const [first, second] = [payload.optionalBytes(2), payload.optionalBytes(4)]
  if ((first === undefined) === (second === undefined))
    throw new MalformedArchive('Unrecognized or Unsupported LF version')
  if (!MINOR.test(minor)) throw new MalformedArchive('Invalid minor language version')
  if (first !== undefined && payload.number(5) !== 0)
    throw new MalformedArchive('Patch version is not supported for LF1')
  return {
    languageVersion: `${first === undefined ? 2 : 1}.${minor}`,
    lfPackage: first ?? second ?? new Uint8Array(),
  }
}

function onlyFields(message: Message, known: readonly number[]): void {
  const stranger = message.fields.find((field) => !known.includes(field))
  if (stranger !== undefined) throw new MalformedArchive(`Field ${stranger} is unknown`)
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < bytes.length; start += HASH_BYTES_PER_TURN) {
    if (start > 0) await setImmediate()
    hash.update(bytes.subarray(start, start + HASH_BYTES_PER_TURN))
  }
  return hash.digest('hex')
}
