// Generated topology of external parties: published vectors, the order and texts of refusals, and
// the same bytes as a second implementation. docs/ledger-rules.md, "Topology"
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { GenerateExternalPartyTopologyRequest } from '../../generated/ledger/types.gen.ts'
import { LedgerError } from '../../runtime/errors/errors.ts'
import {
  generateTopology,
  type GeneratedTopology,
} from '../../runtime/participant/topology/generate.ts'
import {
  decentralizedNamespace,
  hex,
  multiTransactionHash,
  transactionHash,
} from '../../runtime/participant/topology/hashing.ts'
import { decodeTransaction } from '../../runtime/participant/topology/party-to-participant.ts'
import {
  fingerprint,
  parseSigningPublicKey,
} from '../../runtime/participant/topology/signing-key.ts'
import * as reference from '../support/topology-reference.ts'

const LOCAL = `participant1::1220${'ab'.repeat(32)}`
const node = { participantUid: LOCAL, connectedSynchronizers: ['global::1220cd'] }
const ED25519_PREFIX = '302a300506032b6570032100'
const VECTOR_KEY =
  ED25519_PREFIX + Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex')
const other = (name: string): string => `${name}::1220${'ef'.repeat(32)}`

function request(
  fields: Partial<GenerateExternalPartyTopologyRequest> = {},
): GenerateExternalPartyTopologyRequest {
  const publicKey = reference.publicKeyOf({ spec: 'EC_CURVE25519', spki: VECTOR_KEY })
  return { synchronizer: 'global::1220cd', partyHint: 'alice', publicKey, ...fields }
}

function generated(fields: Partial<GenerateExternalPartyTopologyRequest> = {}): GeneratedTopology {
  const topology = generateTopology(request(fields), node)
  if (topology instanceof LedgerError) assert.fail(topology.cause)
  return topology
}

/** The reason of the refusal, without the text that goes before every INVALID_ARGUMENT. */
function rejection(fields: Partial<GenerateExternalPartyTopologyRequest>): string {
  const topology = generateTopology(request(fields), node)
  assert.ok(topology instanceof LedgerError, 'must be refused')
  assert.equal(topology.code, 'INVALID_ARGUMENT')
  return topology.cause.replace('The submitted request has invalid arguments: ', '')
}

describe('vectors', () => {
  test('the fingerprint of the published Ed25519 key', () => {
    const raw = Buffer.from('2RwUiIHVUVdulxzD8NKtPmIaaBqMer1A90rDjoklJPY=', 'base64')
    const expected = '1220205057e331cc8929dd217e2f8e63f503b7081773de60d01fb46839700bc5caaa'
    assert.equal(fingerprint('RAW', 'EC_CURVE25519', raw), expected)
    const spki = Buffer.concat([Buffer.from(ED25519_PREFIX, 'hex'), raw])
    assert.equal(fingerprint('DER_X509_SUBJECT_PUBLIC_KEY_INFO', 'EC_CURVE25519', spki), expected)
    assert.equal(reference.fingerprintOf('EC_CURVE25519', spki.toString('hex')), expected)
  })

  test('the party alice: id, bytes, transaction hash and hash over all', () => {
    const topology = generated()
    const key = '122093aa96c5554371f0d1fd471ce282f3b590ab0758f35c124924c8e3715910bbe1'
    const [transaction = new Uint8Array(), ...rest] = topology.topologyTransactions
    assert.deepEqual(rest, [])
    assert.equal(topology.publicKeyFingerprint, key)
    assert.equal(topology.partyId, `alice::${key}`)
    assert.equal(transaction.length, 243)
    assert.equal(
      hex(transactionHash(transaction)),
      '1220588dd47f238701085f1911a2fd4de34948b047e21f6e1fa432e5cca86a198a02',
    )
    assert.equal(
      hex(topology.multiHash),
      '1220cf6129a84f6f4cc305fc52cc2485aa966f622e88206d01dc50911e5ca5cf1a29',
    )
  })

  test('the hash over all depends neither on order nor on repetition', () => {
    const [a, b] = ['0a', '0b'].map((content) => transactionHash(Buffer.from(content, 'hex')))
    assert.ok(a && b)
    assert.equal(hex(multiTransactionHash([a, b])), reference.multiHashOf(['0b', '0a']))
    assert.deepEqual(multiTransactionHash([b, a, b]), multiTransactionHash([a, b]))
  })
})

describe('refusals, in their order', () => {
  const cases: readonly [string, Partial<GenerateExternalPartyTopologyRequest>, string][] = [
    [
      'empty key',
      { publicKey: { ...request().publicKey, keyData: '' } },
      'public_key: the key is empty',
    ],
    [
      'format unspecified',
      {
        publicKey: { ...request().publicKey, format: 'CRYPTO_KEY_FORMAT_UNSPECIFIED' },
        synchronizer: '',
      },
      'public_key: the key format is unspecified',
    ],
    [
      'spec unspecified',
      { publicKey: { ...request().publicKey, keySpec: 'SIGNING_KEY_SPEC_UNSPECIFIED' } },
      'public_key: the key spec is unspecified',
    ],
    [
      'key of another spec',
      { publicKey: { ...request().publicKey, keySpec: 'SIGNING_KEY_SPEC_EC_P256' } },
      'public_key: the key is not of the spec EC_P256',
    ],
    [
      'no key at all',
      { publicKey: { ...request().publicKey, keyData: 'AAAA' } },
      'public_key: the key is not a public key in the format DER_X509_SUBJECT_PUBLIC_KEY_INFO',
    ],
    [
      'key with a byte more',
      { publicKey: { ...request().publicKey, keyData: reference.base64(VECTOR_KEY + '00') } },
      'public_key: the key is not a public key in the format DER_X509_SUBJECT_PUBLIC_KEY_INFO',
    ],
    [
      'synchronizer without namespace',
      { synchronizer: 'global', partyHint: '' },
      'synchronizer: Invalid unique identifier `global` with missing namespace.',
    ],
    [
      'synchronizer unknown',
      { synchronizer: 'local::1220cd', partyHint: '' },
      'Unknown or not connected synchronizer local::1220cd',
    ],
    ['empty hint', { partyHint: '', confirmationThreshold: -1 }, 'Party hint is empty'],
    [
      'delimiter in the hint',
      { partyHint: 'a::b' },
      'party_hint: String contains reserved delimiter `::`.',
    ],
    [
      'hint too long',
      { partyHint: 'a'.repeat(186) },
      'party_hint: the string has 186 characters; at most 185 are allowed',
    ],
    [
      'stranger in the hint',
      { partyHint: 'ä' },
      'party_hint: String contains the invalid character `ä`: `ä`',
    ],
    [
      'negative threshold',
      { confirmationThreshold: -1, observingParticipantUids: ['x'] },
      'Negative confirmation threshold observed',
    ],
    [
      'uid without namespace',
      { observingParticipantUids: ['x'], otherConfirmingParticipantUids: [LOCAL] },
      'observing_participant_uids: Invalid unique identifier `x` with missing namespace.',
    ],
    [
      'repeated participants',
      { observingParticipantUids: [other('b')], otherConfirmingParticipantUids: [other('b')] },
      `The following participant IDs are referenced multiple times in the request: ${other('b')}`,
    ],
    [
      'threshold too high',
      { confirmationThreshold: 2, observingParticipantUids: [other('b')] },
      'Confirmation threshold exceeds number of confirming participants',
    ],
    [
      'nobody confirms',
      { localParticipantObservationOnly: true },
      'At least one participant must host the party with confirmation permission',
    ],
  ]
  for (const [name, fields, reason] of cases)
    test(name, () => assert.equal(rejection(fields), reason))

  test('the local participant among the others', () => {
    for (const field of ['otherConfirmingParticipantUids', 'observingParticipantUids'] as const) {
      assert.match(
        rejection({ [field]: [LOCAL, LOCAL] }),
        /^The local participant participant1::\S+ is listed in \w+_participant_uids/,
      )
    }
  })

  test('a physical synchronizer id is not taken here', () => {
    assert.match(
      rejection({ synchronizer: 'global::1220cd::34-0' }),
      /^synchronizer: Invalid unique identifier/,
    )
  })
})

describe('keys of every spec', () => {
  for (const spec of ['EC_CURVE25519', 'EC_P256', 'EC_P384', 'EC_SECP256K1'] as const) {
    test(`${spec} in X.509, DER and raw form`, () => {
      const holder = reference.newHolder(spec)
      const publicKey = reference.publicKeyOf(holder)
      assert.equal(generated({ publicKey }).publicKeyFingerprint, holder.fingerprint)
      const der = parseSigningPublicKey({ ...publicKey, format: 'CRYPTO_KEY_FORMAT_DER' })
      assert.ok(
        typeof der !== 'string' && der.fingerprint === reference.hashOf(12, holder.spki),
        'hashed as given',
      )
      const size = { EC_CURVE25519: 32, EC_P256: 65, EC_P384: 97, EC_SECP256K1: 65 }[spec]
      const raw = holder.spki.slice(-2 * size)
      const point = parseSigningPublicKey({
        ...publicKey,
        format: 'CRYPTO_KEY_FORMAT_RAW',
        keyData: reference.base64(raw),
      })
      assert.ok(typeof point !== 'string', String(point))
      assert.equal(point.fingerprint, reference.hashOf(12, raw))
      assert.equal(
        point.publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
        holder.spki,
      )
    })
  }
})

describe('properties', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'abcXYZ019-_ :'), minLength: 1, maxLength: 185 })
    .filter((text) => !/::| {2}|^ | $/u.test(text))
  const uid = fc
    .tuple(name, fc.stringMatching(/^[0-9a-f]{64}$/))
    .map(([one, hash]) => `${one}::1220${hash}`)
  const holders = (['EC_CURVE25519', 'EC_P256', 'EC_P384', 'EC_SECP256K1'] as const).map(
    reference.newHolder,
  )
  const asked = fc.record({
    partyHint: name,
    holder: fc.constantFrom(...holders),
    localParticipantObservationOnly: fc.boolean(),
    others: fc.uniqueArray(uid, { maxLength: 5 }),
    confirming: fc.nat(5),
    confirmationThreshold: fc.nat(5),
  })

  test('the bytes are those of the second implementation, and read back as what was asked', () => {
    fc.assert(
      fc.property(asked, ({ holder, others, confirming, ...rest }) => {
        const otherConfirmingParticipantUids = others.slice(0, confirming)
        const observingParticipantUids = others.slice(confirming)
        const local = rest.localParticipantObservationOnly ? 3 : 2
        const count = otherConfirmingParticipantUids.length + (local === 2 ? 1 : 0)
        fc.pre(count > 0 && rest.confirmationThreshold <= count)
        const publicKey = reference.publicKeyOf(holder)
        const topology = generated({
          ...rest,
          publicKey,
          otherConfirmingParticipantUids,
          observingParticipantUids,
        })
        const party = `${rest.partyHint}::${holder.fingerprint}`
        const threshold = rest.confirmationThreshold === 0 ? count : rest.confirmationThreshold
        const hosts: reference.Hosts = [
          [LOCAL, local],
          ...otherConfirmingParticipantUids.map((one) => [one, 2] as const),
          ...observingParticipantUids.map((one) => [one, 3] as const),
        ]
        const expected = reference.hostingTransaction({ party, threshold, hosts, keys: [holder] })
        const [bytes = new Uint8Array()] = topology.topologyTransactions
        assert.equal(hex(bytes), expected)
        assert.equal(topology.partyId, party)
        assert.equal(hex(topology.multiHash), reference.multiHashOf([expected]))
        const read = decodeTransaction(bytes)
        assert.ok(typeof read !== 'string' && read.mapping.kind === 'PartyToParticipant')
        assert.deepEqual(
          read.mapping.participants.map(({ participantUid }) => participantUid),
          hosts.map(([one]) => one),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('any request gets a topology or INVALID_ARGUMENT', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(LOCAL), uid)
    const fields = fc.record({
      partyHint: text,
      synchronizer: fc.oneof(text, fc.constant('global::1220cd')),
      keyData: fc.base64String(),
      format: fc.constantFrom(
        'CRYPTO_KEY_FORMAT_DER',
        'CRYPTO_KEY_FORMAT_RAW',
        'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      ),
      keySpec: fc.constantFrom(
        'SIGNING_KEY_SPEC_EC_CURVE25519',
        'SIGNING_KEY_SPEC_EC_P256',
        'SIGNING_KEY_SPEC_EC_P384',
      ),
      otherConfirmingParticipantUids: fc.array(text),
      observingParticipantUids: fc.array(text),
      confirmationThreshold: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    })
    fc.assert(
      fc.property(fields, fc.boolean(), ({ keyData, format, keySpec, ...rest }, good) => {
        const publicKey = good ? request().publicKey : { keyData, format, keySpec }
        const topology = generateTopology({ ...rest, publicKey }, node)
        assert.ok(!(topology instanceof LedgerError) || topology.code === 'INVALID_ARGUMENT')
      }),
      { numRuns: 300 },
    )
  })

  test('the namespace of owners is that of the second implementation', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^1220[0-9a-f]{64}$/), { maxLength: 10 }),
        (owners) => {
          assert.equal(decentralizedNamespace(owners), reference.namespaceOf(owners))
          assert.equal(decentralizedNamespace([...owners].reverse()), reference.namespaceOf(owners))
        },
      ),
      { numRuns: 50 },
    )
  })
})
