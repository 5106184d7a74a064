// What comes back signed for a new external party: each rule of onboarding on transactions that a
// second implementation wrote, and signatures made outside. docs/ledger-rules.md, "Topology"
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Signature, SignedTransaction } from '../../generated/ledger/types.gen.ts'
import { LedgerError } from '../../runtime/errors/errors.ts'
import {
  verifyOnboarding,
  type OnboardingRequest,
  type VerifiedOnboarding,
} from '../../runtime/participant/topology/allocate.ts'
import { generateTopology } from '../../runtime/participant/topology/generate.ts'
import * as reference from '../support/topology-reference.ts'
import { base64, type Holder } from '../support/topology-reference.ts'

const LOCAL = `participant1::1220${'ab'.repeat(32)}`
const OTHER = `participant2::1220${'cd'.repeat(32)}`
const SYNCHRONIZER = 'global::1220cd'
const node = { participantUid: LOCAL, connectedSynchronizers: [SYNCHRONIZER] }
const [ed, p256, p384, k1] = [
  reference.newHolder('EC_CURVE25519'),
  reference.newHolder('EC_P256'),
  reference.newHolder('EC_P384'),
  reference.newHolder('EC_SECP256K1'),
]
const partyOf = (holder: { readonly fingerprint: string }): string => `alice::${holder.fingerprint}`

/** Transactions in hex, all signed through the one hash by the holders. */
function signed(wrappers: readonly string[], holders: readonly Holder[] = [ed]): OnboardingRequest {
  const multiHash = reference.multiHashOf(wrappers)
  return {
    synchronizer: SYNCHRONIZER,
    onboardingTransactions: wrappers.map((wrapper) => ({ transaction: base64(wrapper) })),
    multiHashSignatures: holders.map((holder) => reference.signatureOf(holder, multiHash)),
  }
}

/** Transactions in hex, each signed for itself. */
function signedEach(
  wrappers: readonly string[],
  holders: readonly Holder[] = [ed],
): OnboardingRequest {
  const onboardingTransactions = wrappers.map((wrapper): SignedTransaction => {
    const hash = reference.transactionHashOf(wrapper)
    return {
      transaction: base64(wrapper),
      signatures: holders.map((holder) => reference.signatureOf(holder, hash)),
    }
  })
  return { synchronizer: SYNCHRONIZER, onboardingTransactions }
}

function hosting(shape: Partial<reference.HostingShape> = {}): string {
  return reference.hostingTransaction({
    party: partyOf(ed),
    threshold: 1,
    hosts: [[LOCAL, 2]],
    keys: [ed],
    ...shape,
  })
}

const HOLDERS: Readonly<Record<string, Holder>> = { ed, p256, p384, k1 }
const NODES: Readonly<Record<string, string>> = {
  LOCAL,
  OTHER,
  third: `x${OTHER}`,
  PAR: `PAR::${LOCAL}`,
}

/** A key by its name, perhaps with other usages: `ed:4:5`. */
function keyNamed(text: string): reference.KeyShape & Holder {
  const [name = '', ...usages] = text.split(':')
  const holder = HOLDERS[name] ?? assert.fail(`no key ${name}`)
  return { ...holder, ...(usages.length > 0 && { usages: usages.map(Number) }) }
}

const keysNamed = (text: string) => text.split(',').filter(Boolean).map(keyNamed)

/** `alice@ed` is the party whose namespace is that key's, another text a party's id. */
function partyNamed(text: string): string {
  const [hint, key] = text.split('@')
  return key === undefined ? text : `${hint}::${keyNamed(key).fingerprint}`
}

/**
 * Transactions in hex, from text: `delegation ed` (of a namespace, to another key),
 * `mapping alice@ed ed,p256`, `hosting keys=ed hosts=LOCAL:2,OTHER:3`; the keys of `keyless` stand
 * elsewhere.
 */
function written(text: string): readonly string[] {
  return text.split('; ').map((each) => {
    const [kind, first = '', second = first, third] = each.split(' ')
    const options = new Map(
      each.split(' ').map((part): [string, string] => {
        const [name = '', value = ''] = part.split('=')
        return [name, value]
      }),
    )
    const { fingerprint } = kind === 'delegation' ? keyNamed(first) : ed
    if (kind === 'delegation')
      return reference.delegationTransaction(fingerprint, keyNamed(second), third !== undefined)
    if (kind === 'mapping')
      return reference.keyMappingTransaction(partyNamed(first), 1, keysNamed(second))
    const [keys, hosts, party] = ['keys', 'hosts', 'party'].map((name) => options.get(name))
    const numbers = ['threshold', 'keyThreshold', 'serial'].filter((name) => options.has(name))
    return reference.hostingTransaction({
      party: partyNamed(party ?? 'alice@ed'),
      threshold: 1,
      hosts: (hosts ?? 'LOCAL:2')
        .split(',')
        .filter(Boolean)
        .map((host) => {
          const [name = '', permission] = host.split(':')
          return [NODES[name] ?? name, Number(permission)]
        }),
      ...(kind === 'hosting' && { keys: keysNamed(keys ?? 'ed') }),
      ...Object.fromEntries(numbers.map((name) => [name, Number(options.get(name))])),
    })
  })
}

function accepted(request: OnboardingRequest): VerifiedOnboarding {
  const onboarding = verifyOnboarding(request, node)
  if (onboarding instanceof LedgerError) assert.fail(onboarding.cause)
  return onboarding
}

function refused(request: OnboardingRequest, reason: RegExp, code = 'INVALID_ARGUMENT'): void {
  const error = verifyOnboarding(request, node)
  assert.ok(error instanceof LedgerError, 'must be refused')
  assert.equal(error.code, code)
  assert.match(error.cause, reason)
}

describe('from generation to a verified party', () => {
  for (const holder of [ed, p256, p384, k1]) {
    test(`${holder.spec}: the one hash or the transaction signed outside`, () => {
      const publicKey = reference.publicKeyOf(holder)
      const topology = generateTopology(
        { synchronizer: SYNCHRONIZER, partyHint: 'alice', publicKey },
        node,
      )
      assert.ok(!(topology instanceof LedgerError))
      const wrappers = topology.topologyTransactions.map((bytes) =>
        Buffer.from(bytes).toString('hex'),
      )
      for (const request of [signed(wrappers, [holder]), signedEach(wrappers, [holder])]) {
        const party = accepted(request)
        assert.equal(party.partyId, topology.partyId)
        assert.equal(party.fingerprint, holder.fingerprint)
        assert.deepEqual(
          party.keys.map((key) => key.fingerprint),
          [holder.fingerprint],
        )
        assert.deepEqual(
          [party.keyThreshold, party.confirmationThreshold, party.proposal],
          [1, 1, false],
        )
        assert.deepEqual(party.participants, [
          { participantUid: LOCAL, permission: 'CONFIRMATION' },
        ])
        assert.deepEqual(party.otherParticipants, [])
        assert.deepEqual(party.multiHash, Buffer.from(topology.multiHash))
      }
    })
  }

  test('logical and physical synchronizer ids', () => {
    assert.equal(
      accepted({ ...signed([hosting()]), synchronizer: `${SYNCHRONIZER}::34-0` }).synchronizer,
      SYNCHRONIZER,
    )
    refused(
      { ...signed([hosting()]), synchronizer: 'x::1220cd::34-0' },
      /This node is not connected to the requested synchronizer x::1220cd::34-0\.$/,
    )
    refused(
      { ...signed([hosting()]), synchronizer: 'global' },
      /Invalid field synchronizer: /,
      'INVALID_FIELD',
    )
    refused({ ...signed([hosting()]), synchronizer: '' }, /synchronizer$/, 'MISSING_FIELD')
  })

  test('several keys, each of which proves itself', () => {
    const wrappers = written('hosting keys=ed,p256,k1 keyThreshold=2')
    const party = accepted(signed(wrappers, [ed, p256, k1]))
    assert.deepEqual([party.keys.length, party.keyThreshold], [3, 2])
    refused(signed(wrappers, [ed, p256]), new RegExp(`lacks the signature by ${k1.fingerprint}`))
  })

  test('the older three transactions: delegation, key mapping, hosting', () => {
    const wrappers = written('delegation ed; mapping alice@ed p256; keyless')
    assert.deepEqual(
      accepted(signed(wrappers, [ed, p256])).keys.map((key) => key.fingerprint),
      [p256.fingerprint],
    )
    refused(
      signed(wrappers, [ed]),
      new RegExp(`PartyToKeyMapping lacks the signature by ${p256.fingerprint}`),
    )
    refused(signed(wrappers, [p256]), /NamespaceDelegation is not signed/)
    refused(signed(wrappers.slice(1), [ed, p256]), /is by none of the keys in the transactions/)
  })

  test('several hosts: signed, or unsigned as a proposal', () => {
    const wrappers = written('hosting hosts=LOCAL:2,OTHER:3')
    const party = accepted(signed(wrappers))
    assert.deepEqual([party.proposal, party.otherParticipants], [false, [OTHER]])
    assert.equal(accepted(signed(wrappers, [])).proposal, true)
    refused(signed([hosting()], []), /PartyToParticipant is not signed/)
  })

  test('a decentralized namespace: all owners define it, its threshold signs the hosting', () => {
    const owners = [ed, p256, k1]
    const namespace = reference.namespaceOf(owners.map((owner) => owner.fingerprint))
    const definition = reference.definitionTransaction(
      namespace,
      2,
      owners.map((owner) => owner.fingerprint),
    )
    const delegations = owners.map((owner) =>
      reference.delegationTransaction(owner.fingerprint, owner),
    )
    const party = hosting({ party: `alice::${namespace}`, keys: [p384] })
    const wrappers = [...delegations, definition, party]
    assert.equal(accepted(signed(wrappers, [...owners, p384])).fingerprint, namespace)
    refused(signed(wrappers, [ed, p256, p384]), /NamespaceDelegation is not signed/)
    const { onboardingTransactions } = signedEach(wrappers, owners)
    const signers = (holders: readonly Holder[]): OnboardingRequest => ({
      synchronizer: SYNCHRONIZER,
      onboardingTransactions: [
        ...onboardingTransactions.slice(0, -1),
        ...signedEach([party], holders).onboardingTransactions,
      ],
    })
    assert.equal(accepted(signers([ed, k1, p384])).partyId, `alice::${namespace}`)
    refused(signers([ed, p384]), /is signed by 1 owners of its namespace; 2 are needed/)
    const undefinedBy = signedEach([definition], [ed, p256]).onboardingTransactions
    const { onboardingTransactions: others } = signedEach(
      [...delegations, party],
      [...owners, p384],
    )
    refused(
      { synchronizer: SYNCHRONIZER, onboardingTransactions: [...undefinedBy, ...others] },
      new RegExp(`DecentralizedNamespaceDefinition lacks the signature by ${k1.fingerprint}`),
    )
    refused(
      signed([reference.definitionTransaction(namespace, 2, [ed.fingerprint]), party]),
      /must be distinct, and its threshold/,
    )
    refused(
      signed([reference.definitionTransaction(namespace, 1, [ed.fingerprint]), party]),
      /is not the one of its owners/,
    )
    refused(
      signed([definition, reference.delegationTransaction(p384.fingerprint, p384), party]),
      /belongs to no owner/,
    )
    refused(
      signed([...delegations, ...delegations.slice(0, 1), definition, party]),
      /Only one transaction of type NamespaceDelegation/,
    )
    refused(
      signed([definition, definition, party]),
      /Only one transaction of type DecentralizedNamespaceDefinition/,
    )
    refused(signed([definition, hosting()]), /does not match the PartyToParticipant namespace/)
    const many = Array.from({ length: 11 }, (_, index) => `1220${String(index).padStart(64, '0')}`)
    const big = reference.namespaceOf(many)
    refused(
      signed([reference.definitionTransaction(big, 1, many), hosting({ party: `alice::${big}` })]),
      /more than 10/,
    )
  })
})

describe('owners whose keys stand in the hosting itself', () => {
  const namespace = reference.namespaceOf([ed.fingerprint, p256.fingerprint])
  const definition = reference.definitionTransaction(namespace, 2, [
    ed.fingerprint,
    p256.fingerprint,
  ])
  const hostedWith = (usages: readonly number[]): string[] => [
    definition,
    hosting({ party: `alice::${namespace}`, keys: [ed, { ...p256, usages }] }),
  ]

  test('they speak for the namespace only with the usage for it', () => {
    assert.equal(accepted(signed(hostedWith([1, 4]), [ed, p256])).fingerprint, namespace)
    refused(
      signed(hostedWith([4, 5]), [ed, p256]),
      /is signed by 1 owners of its namespace; 2 are needed/,
    )
  })
})

describe('rules of the transactions', () => {
  const delegations = Array.from({ length: 14 }, () => 'delegation ed').join('; ')
  const cases = `
    no hosting | delegation ed | One transaction of type PartyToParticipant must be provided, got 0$
    two hostings | hosting; hosting | Only one transaction of type PartyToParticipant can be provided, got 2$
    two delegations | delegation ed; delegation ed; hosting | Only one transaction of type NamespaceDelegation
    two key mappings | mapping alice@ed ed; mapping alice@ed ed; keyless | Only one transaction of type PartyToKeyMapping
    no root | delegation ed p256; hosting | is not a root namespace
    a key of the namespace that may not sign everything | delegation ed ed restricted; hosting | is not a root namespace
    namespace of somebody else | delegation p256; hosting | The namespace 1220\\w+ of NamespaceDelegation does not match
    keys twice | mapping alice@ed ed; hosting | in PartyToParticipant or in PartyToKeyMapping, not in both$
    keys nowhere | keyless | in PartyToParticipant or in PartyToKeyMapping$
    keys of another party | mapping bob@ed ed; keyless | PartyToKeyMapping is about the party bob::
    the same key twice | hosting keys=ed,ed | must be distinct
    no key | hosting keys= | must be distinct
    threshold over the keys | hosting keyThreshold=2 | must be distinct, and their threshold
    threshold of keys 0 | hosting keyThreshold=0 | must be distinct, and their threshold
    no protocol usage | hosting keys=ed:1:5 | lacks the usage that signing for a party needs
    no namespace usage | hosting keys=ed:4:5 | lacks the usage that signing for a namespace needs
    delegation without namespace usage | delegation ed ed:4; hosting | lacks the usage that signing for a namespace needs
    submission permission | hosting hosts=LOCAL:1 | must not contain any node with Submission permission: participant1
    single host elsewhere | hosting hosts=OTHER:2 | must be this node
    single host observes | hosting hosts=LOCAL:3 | must be this node
    nobody confirms | hosting hosts=LOCAL:3,OTHER:3 | At least one participant must host
    this node not among the hosts | hosting hosts=OTHER:2,third:2 | is not one of the participants
    the same host twice | hosting hosts=LOCAL:2,LOCAL:3 | names a participant more than once
    no hosts | hosting hosts= | At least one participant must host
    malformed host | hosting hosts=PAR:2 | Invalid unique identifier
    malformed party | hosting party=alice | with missing namespace
    confirmation threshold 0 | hosting threshold=0 | The confirmation threshold must be between
    confirmation threshold too high | hosting threshold=2 | The confirmation threshold must be between
    namespace of a key that is not there | hosting party=alice@p256 | no transaction holds the key
    too many transactions | ${delegations} | at most 13 transactions
  `
  for (const line of cases.trim().split('\n')) {
    const [name = '', transactions = '', reason = ''] = line.trim().split(' | ')
    test(name, () => refused(signed(written(transactions)), new RegExp(reason)))
  }

  test('the same key in two formats', () => {
    const again = { ...p256, spki: p256.spki.slice(-130), format: 3 }
    refused(signed([hosting({ keys: [ed, p256, again] })]), /must be distinct/)
  })
})

describe('bytes that are no transaction for a new party', () => {
  const content = '0a' + Buffer.from([1]).toString('hex') + '61'
  const cases: readonly [string, string, RegExp][] = [
    ['removal', reference.wrap(9, content, { operation: 2 }), /does not add a mapping/],
    [
      'operation unspecified',
      reference.wrap(9, content, { operation: 0 }),
      /the operation 0 is unknown/,
    ],
    ['no serial', hosting({ serial: 0 }), /has the serial 0/],
    ['other version', reference.wrap(9, content, { version: 31 }), /the version 31 is not 30/],
    ['other kind of mapping', reference.wrap(8, content), /not for onboarding a party/],
    ['unknown field', hosting() + '1801', /field 3 is unknown/],
    ['field twice', hosting() + '101e', /field 2 is there too often/],
    ['group', hosting() + '0b0c', /has a type that no message here uses/],
    ['cut', hosting().slice(0, -20), /transaction 0 is not a topology transaction/],
    [
      'text that is not UTF-8',
      reference.wrap(9, '0a01ff'),
      /transaction 0 is not a topology transaction/,
    ],
    ['number out of range', reference.wrap(9, '10ffffffff7f'), /field 2 is out of range/],
    ['nothing known', '00', /transaction 0 is not a topology transaction/],
  ]
  for (const [name, wrapper, reason] of cases) test(name, () => refused(signed([wrapper]), reason))
})

describe('signatures', () => {
  const wrapper = hosting()
  const hash = reference.multiHashOf([wrapper])
  const transactionHash = reference.transactionHashOf(wrapper)
  const of = (...multiHashSignatures: Signature[]): OnboardingRequest => ({
    ...signed([wrapper]),
    multiHashSignatures,
  })
  const good = reference.signatureOf(ed, hash)

  test('by the wrong key, of the wrong bytes, cut, empty or of an unknown key', () => {
    const stranger = reference.newHolder('EC_CURVE25519')
    refused(
      of({ ...reference.signatureOf(stranger, hash), signedBy: ed.fingerprint }),
      /the signature by 1220\w+ is invalid$/,
    )
    refused(of(reference.signatureOf(stranger, hash)), /is by none of the keys/)
    refused(of(reference.signatureOf(ed, transactionHash)), /is invalid$/)
    refused(of(reference.signatureOf(ed, Buffer.from(hash).toString('hex'))), /is invalid$/)
    refused(
      of({
        ...good,
        signature: Buffer.from(good.signature, 'base64').subarray(0, 63).toString('base64'),
      }),
      /does not fit/,
    )
    refused(of({ ...good, signature: '' }), /Invalid field signature: /, 'INVALID_FIELD')
    refused(of({ ...good, signedBy: '' }), /Invalid field signed_by: /, 'INVALID_FIELD')
  })

  test('of another transaction, also when it was good there', () => {
    const bob = hosting({ party: `bob::${ed.fingerprint}` })
    const { multiHashSignatures = [] } = signed([wrapper])
    refused({ ...signed([bob]), multiHashSignatures }, /is invalid$/)
    const [first] = signedEach([wrapper]).onboardingTransactions
    refused(
      {
        synchronizer: SYNCHRONIZER,
        onboardingTransactions: [{ ...first, transaction: base64(bob) }],
      },
      /is invalid$/,
    )
  })

  test("the first of each key counts, the transaction's own before those of all", () => {
    const bad = { ...good, signature: Buffer.alloc(64, 7).toString('base64') }
    accepted(of(good, bad))
    refused(of(bad, good), /is invalid$/)
    const onboardingTransactions = [
      { transaction: base64(wrapper), signatures: [reference.signatureOf(ed, transactionHash)] },
    ]
    accepted({ ...of(bad), onboardingTransactions })
    refused(
      {
        ...of(good),
        onboardingTransactions: [{ transaction: base64(wrapper), signatures: [bad] }],
      },
      /is invalid$/,
    )
  })

  test('formats and algorithms that do not fit the key, or say nothing', () => {
    refused(
      of({ ...good, format: 'SIGNATURE_FORMAT_UNSPECIFIED' }),
      /Invalid field format: /,
      'INVALID_FIELD',
    )
    refused(
      of({ ...good, signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED' }),
      /Invalid field signing_algorithm_spec: /,
      'INVALID_FIELD',
    )
    refused(of({ ...good, format: 'SIGNATURE_FORMAT_SYMBOLIC' }), /format SYMBOLIC does not fit/)
    refused(of({ ...good, format: 'SIGNATURE_FORMAT_DER' }), /format DER does not fit/)
    refused(
      of({ ...good, signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256' }),
      /does not fit a key of the spec/,
    )
    accepted(of({ ...good, format: 'SIGNATURE_FORMAT_RAW' }))
    const elliptic = hosting({ party: partyOf(p256), keys: [p256] })
    const request = signed([elliptic], [p256])
    const [signature] = request.multiHashSignatures ?? []
    assert.ok(signature)
    refused(
      { ...request, multiHashSignatures: [{ ...signature, format: 'SIGNATURE_FORMAT_CONCAT' }] },
      /CONCAT does not fit/,
    )
    refused(
      {
        ...request,
        multiHashSignatures: [
          { ...signature, signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384' },
        ],
      },
      /does not fit a key of the spec EC_P256/,
    )
  })

  test('no transactions', () => {
    const field = 'onboarding_transactions.transactions: Transactions field is empty'
    refused(
      { ...of(good), onboardingTransactions: [] },
      new RegExp(`Invalid field ${field}$`),
      'INVALID_FIELD',
    )
    refused(
      { ...of(good), onboardingTransactions: [{ transaction: '' }] },
      /transaction: Field is empty$/,
      'INVALID_FIELD',
    )
  })
})

describe('properties', () => {
  const holders = [ed, p256, p384, k1]

  test('no flipped bit of transactions or signatures passes, and none throws', () => {
    const flips = fc.record({
      holder: fc.constantFrom(...holders),
      target: fc.constantFrom('transaction', 'signature'),
      at: fc.nat(),
      bit: fc.nat(7),
    })
    fc.assert(
      fc.property(flips, fc.boolean(), ({ holder, target, at, bit }, each) => {
        const wrapper = hosting({ party: partyOf(holder), keys: [holder] })
        const request = each ? signedEach([wrapper], [holder]) : signed([wrapper], [holder])
        const flip = (text: string): string => {
          const bytes = Buffer.from(text, 'base64')
          const index = at % bytes.length
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
          return bytes.toString('base64')
        }
        const flipSignature = (one: Signature): Signature => ({
          ...one,
          signature: flip(one.signature),
        })
        const onboardingTransactions = request.onboardingTransactions.map(
          ({ transaction, signatures = [] }) =>
            target === 'transaction'
              ? { transaction: flip(transaction), signatures }
              : { transaction, signatures: signatures.map(flipSignature) },
        )
        const multiHashSignatures = (request.multiHashSignatures ?? []).map((one) =>
          target === 'signature' ? flipSignature(one) : one,
        )
        const answer = verifyOnboarding(
          { ...request, onboardingTransactions, multiHashSignatures },
          node,
        )
        assert.ok(answer instanceof LedgerError && answer.code === 'INVALID_ARGUMENT')
      }),
      { numRuns: 1000 },
    )
  })

  test('random bytes, and cut and stuffed transactions, are refused and never throw', () => {
    const bytes = Buffer.from(hosting(), 'hex')
    const stuffed = fc
      .tuple(fc.nat(bytes.length), fc.nat(bytes.length), fc.uint8Array({ maxLength: 20 }))
      .map(([from, to, middle]) =>
        Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]),
      )
      .filter((made) => !made.equals(bytes) && made.length > 0)
    const any = fc.oneof(
      stuffed,
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((made) => Buffer.from(made)),
    )
    fc.assert(
      fc.property(any, (made) => {
        const request = {
          ...signed([hosting()]),
          onboardingTransactions: [{ transaction: made.toString('base64') }],
        }
        const answer = verifyOnboarding(request, node)
        assert.ok(answer instanceof LedgerError && answer.code === 'INVALID_ARGUMENT')
      }),
      { numRuns: 1000 },
    )
  })

  test('a cut signature of any key never verifies', () => {
    for (const holder of holders) {
      const request = signed([hosting({ party: partyOf(holder), keys: [holder] })], [holder])
      const [signature] = request.multiHashSignatures ?? []
      assert.ok(signature)
      const whole = Buffer.from(signature.signature, 'base64')
      for (const length of Array.from({ length: whole.length - 1 }, (_, index) => index + 1)) {
        const cut = { ...signature, signature: whole.subarray(0, length).toString('base64') }
        refused({ ...request, multiHashSignatures: [cut] }, /is invalid|does not fit/)
      }
      const long = {
        ...signature,
        signature: Buffer.concat([whole, Buffer.from([0])]).toString('base64'),
      }
      refused({ ...request, multiHashSignatures: [long] }, /is invalid|does not fit/)
    }
  })
})
