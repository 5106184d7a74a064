// What is kept of an outside party's topology, to verify its signatures later: keys, thresholds,
// hosts. docs/ledger-rules.md, "Topology"
import { z } from 'zod'
import type { PartyKey } from '../../host/plugin.ts'
import type { VerifiedOnboarding } from './allocate.ts'
import { keyFormatNumbers, keySpecNumbers, nameOf, signingKey } from './signing-key.ts'
import type { KeySpec, SigningKey } from './signing-key.ts'

/** The part of the text that signatures and tokens need. */
const stored = z.object({
  keys: z.array(
    z.object({
      format: z.string(),
      spec: z.string(),
      key: z.base64(),
      usages: z.array(z.string()),
    }),
  ),
  keyThreshold: z.int(),
})

/** Keys of other specs sign no tokens. docs/authentication.md */
const tokenAlgorithms: Partial<Record<KeySpec, 'EdDSA' | 'ES256'>> = {
  EC_CURVE25519: 'EdDSA',
  EC_P256: 'ES256',
}

/** The topology as JSON text; byte fields are base64. */
export function topologyText({
  keys,
  keyThreshold,
  participants,
  confirmationThreshold,
}: VerifiedOnboarding): string {
  return JSON.stringify({
    keys: keys.map(({ format, spec, bytes, fingerprint, usages }) => ({
      format,
      spec,
      key: Buffer.from(bytes).toString('base64'),
      fingerprint,
      usages,
    })),
    keyThreshold,
    participants,
    confirmationThreshold,
  })
}

/** Keys that sign for a party, and how many of them must. */
export interface PartySigners {
  readonly keys: readonly SigningKey[]
  readonly threshold: number
}

/** Undefined where the text says nothing of keys: the party is not outside. */
export function signersOf(topology: string): PartySigners | undefined {
  if (topology === '') return undefined
  const read = stored.safeParse(JSON.parse(topology))
  if (!read.success) return undefined
  const { keys, keyThreshold } = read.data
  return {
    keys: keys.flatMap((key) => (key.usages.includes('PROTOCOL') ? keyOf(key) : [])),
    threshold: keyThreshold,
  }
}

/** Whether two texts name the same keys, of which as many must sign. */
export function hasSameSigners(one: string, other: string): boolean {
  const [own, others] = [one, other].map(signersText)
  return own !== undefined && own === others
}

/**
 * The keys of which each alone signs for the party. None where the text says nothing of keys, or
 * where a signature takes several of them: who has one of several is not the party.
 */
export function tokenKeysOf(topology: string): readonly PartyKey[] {
  const signers = signersOf(topology)
  return signers?.threshold === 1 ? signers.keys.map(tokenKey) : []
}

function signersText(topology: string): string | undefined {
  const signers = signersOf(topology)
  return (
    signers &&
    JSON.stringify([
      signers.threshold,
      signers.keys.map(({ fingerprint }) => fingerprint).toSorted(),
    ])
  )
}

function keyOf({
  format,
  spec,
  key,
}: {
  readonly format: string
  readonly spec: string
  readonly key: string
}): SigningKey[] {
  const [knownFormat, knownSpec] = [nameOf(keyFormatNumbers, format), nameOf(keySpecNumbers, spec)]
  if (knownFormat === undefined || knownSpec === undefined) return []
  const parsed = signingKey(knownFormat, knownSpec, Buffer.from(key, 'base64'))
  return typeof parsed === 'string' ? [] : [parsed]
}

function tokenKey({ spec, fingerprint, publicKey }: SigningKey): PartyKey {
  const algorithm = tokenAlgorithms[spec]
  return { fingerprint, publicKey, ...(algorithm === undefined ? {} : { algorithm }) }
}
