// Prepared bytes that their signer wrote by hand: signed properly, and still nothing happens but
// what could have been prepared. And reads of a ledger whose beginning is pruned.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { newStore } from '../support/test-store.ts'
import { allTemplates } from '../../runtime/contracts/index.ts'
import { simulatedClock } from '../../runtime/host/clock.ts'
import { createEngine } from '../../runtime/engine/index.ts'
import { LedgerError } from '../../runtime/errors/errors.ts'
import { createInteractive } from '../../runtime/participant/interactive/interactive.ts'
import type {
  InteractiveRejected,
  Prepared,
} from '../../runtime/participant/interactive/interactive.ts'
import { decodeMessage, encodeMessage } from '../../runtime/participant/interactive/message.ts'
import type {
  InputMessage,
  MetadataMessage,
} from '../../runtime/participant/interactive/message.ts'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import { hashPrepared } from '../../runtime/participant/interactive/prepared-hash.ts'
import { readSignature } from '../../runtime/participant/topology/signature-wire.ts'
import { openActiveContracts } from '../../runtime/interfaces/ledger/streams/active-contracts.ts'
import { boundedList } from '../../runtime/interfaces/ledger/streams/bounded-list.ts'
import { ownPackages } from '../../runtime/participant/packages/own-packages.ts'
import { VettedPackages } from '../../runtime/participant/packages/vetted-packages.ts'
import { SharedPages } from '../../runtime/interfaces/ledger/streams/shared-pages.ts'
import { Submissions } from '../../runtime/interfaces/ledger/commands/submissions.ts'
import { LedgerTail } from '../../runtime/interfaces/ledger/streams/tail.ts'
import { openUpdates } from '../../runtime/interfaces/ledger/streams/updates.ts'
import { newHolder, signatureOf } from '../support/topology-reference.ts'
import { payersInTurn } from '../../runtime/work/order.ts'

const START = 1_800_000_000_000_000n
const HOUR = 3_600_000_000n
const RULES = '#network-test-token:Network.Test.Token:TestTokenRules'
const holder = newHolder('EC_CURVE25519')
const party = `carol::${holder.fingerprint}`

async function world() {
  const clock = simulatedClock(START)
  const store = await newStore()
  const newSeed = () => new Uint8Array(randomBytes(32))
  const engine = createEngine({
    order: payersInTurn,
    store: store.contracts,
    clock,
    newSeed,
    templates: allTemplates,
    synchronizerId: 'net::12',
  })
  const keys = [
    {
      format: 'DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      spec: holder.spec,
      key: Buffer.from(holder.spki, 'hex').toString('base64'),
      fingerprint: holder.fingerprint,
      usages: ['PROTOCOL'],
    },
  ]
  await store.parties.allocate(
    {
      party,
      isLocal: true,
      identityProviderId: '',
      annotations: {},
      topology: JSON.stringify({ keys, keyThreshold: 1 }),
    },
    undefined,
  )
  const interactive = createInteractive({
    engine,
    store,
    clock,
    newNonce: newSeed,
    words: OWN_WORDS,
  })
  const prepare = async (commandId: string): Promise<Prepared> => {
    const prepared = await interactive.prepare({
      actAs: [party],
      commandId,
      run: (tx) => engine.template(RULES)?.createJson(tx, { admin: party }),
    })
    return prepared.ok ? prepared : assert.fail(JSON.stringify(prepared))
  }
  const execute = (bytes: Uint8Array) => {
    const decoded = decodeMessage(bytes)
    const hash =
      typeof decoded === 'string'
        ? '00'
        : Buffer.from(hashPrepared(decoded).prepared).toString('hex')
    return interactive.execute({
      prepared: bytes,
      userId: 'alice',
      signatures: [{ party, signatures: [readSignature(signatureOf(holder, hash))] }],
    })
  }
  const reads = {
    store,
    tail: new LedgerTail(engine),
    pages: new SharedPages(store),
    templateOf: ({ templateId }: { readonly templateId: string }) => engine.template(templateId),
    synchronizerId: 'net::12',
    hosted: undefined,
    ready: () => undefined,
    uploaded: new VettedPackages(store.packages, ownPackages(OWN_WORDS)),
    submissions: new Submissions(),
  }
  return { clock, store, engine, prepare, execute, reads }
}

type Change = Partial<MetadataMessage & MetadataMessage['submitter']>

function rewritten({ bytes }: Prepared, change: Change): Uint8Array {
  const decoded = decodeMessage(bytes)
  if (typeof decoded === 'string') assert.fail(decoded)
  const { submitter } = decoded.metadata
  const { actAs = submitter.actAs, commandId = submitter.commandId, ...others } = change
  const metadata = { ...decoded.metadata, ...others, submitter: { actAs, commandId } }
  return encodeMessage({ ...decoded, metadata })
}

function inputOf(contractId: string): InputMessage {
  const templateId = { packageId: 'p', moduleName: 'M', entityName: 'T' }
  const create = {
    kind: 'create' as const,
    lfVersion: '2.1',
    contractId,
    packageName: 'p',
    templateId,
    argument: { kind: 'unit' as const, value: {} },
    signatories: [],
    stakeholders: [],
  }
  return { create, createdAt: 0n, eventBlob: Buffer.from('[]') }
}

function faultOf(outcome: { readonly ok: true } | InteractiveRejected) {
  return outcome.ok ? assert.fail('it was executed') : outcome.rejection
}

test('a time ahead of the clock does not drag the ledger along', async () => {
  const { prepare, execute, store } = await world()
  const prepared = await prepare('ahead')
  const ahead = rewritten(prepared, { preparationTime: START + HOUR })
  assert.deepEqual(faultOf(await execute(ahead)), {
    kind: 'refused',
    rejection: { kind: 'too-early', notBefore: START + HOUR },
  })
  assert.equal((await store.contracts.ledgerEnd()).offset, 0n)
})

test('other times, parties, names and lives than were prepared', async () => {
  const { prepare, execute, store } = await world()
  const prepared = await prepare('rewritten')
  const changes: [Change, RegExp][] = [
    [{ preparationTime: START - HOUR }, /lives too long/],
    [{ maxRecordTime: START + 48n * HOUR }, /lives too long/],
    [{ maxLedgerTime: START + 25n * HOUR }, /lives too long/],
    [{ maxRecordTime: START + HOUR }, /not the one that was prepared/],
    [{ synchronizerId: 'other::12' }, /is for the synchronizer other::12/],
    [{ mediatorGroup: 1 }, /not the one that was prepared/],
    [{ actAs: [] }, /not canonical/],
    [{ actAs: [party, party] }, /not canonical/],
    [{ commandId: 'another' }, /not the one that was prepared/],
    [{ commandId: '' }, /not canonical/],
    [{ transactionUuid: randomUUID() }, /not the one that was prepared/],
    [{ transactionUuid: 'x' }, /transaction_uuid is not a UUID/],
    [{ minLedgerTime: START - 1n, inputs: [inputOf(`00${'ab'.repeat(48)}`)] }, /is not genuine/],
  ]
  for (const [change, reason] of changes) {
    const fault = faultOf(await execute(rewritten(prepared, change)))
    assert.match(fault.kind === 'invalid' ? fault.reason : fault.kind, reason)
  }
  assert.equal((await store.contracts.ledgerEnd()).offset, 0n)
  assert.ok((await execute(prepared.bytes)).ok)
})

test('texts that no id can be are refused as values', async () => {
  const { prepare, execute, store } = await world()
  const prepared = await prepare('texts')
  const texts = ['\0', `${party}\0`, 'x'.repeat(5_000), '']
  for (const text of texts) {
    const changes = [
      { actAs: [text] },
      { commandId: text },
      { synchronizerId: text },
      { transactionUuid: text },
      { inputs: [inputOf(text)] },
    ]
    for (const change of changes) faultOf(await execute(rewritten(prepared, change)))
  }
  assert.equal((await store.contracts.ledgerEnd()).offset, 0n)
})

test('bytes at random are refused as values', async () => {
  const { prepare, execute, store } = await world()
  const { bytes } = await prepare('random')
  const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255), cut: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(change, async ({ at, to, cut }) => {
      const changed = Buffer.from(bytes)
      fc.pre(changed[at] !== to)
      changed[at] = to
      const given = cut ? changed.subarray(0, at) : changed
      const outcome = await execute(given)
      if (!outcome.ok) return
      // The same message may be written in several ways.
      const [executed, prepared] = [decodeMessage(given), decodeMessage(bytes)]
      assert.ok(typeof executed !== 'string' && typeof prepared !== 'string')
      assert.deepEqual(executed, prepared)
    }),
    { numRuns: 2_000 },
  )
  assert.ok((await store.contracts.ledgerEnd()).offset <= 1n)
})

test('more fields than a transaction has are refused, side by side and within each other', async () => {
  const { execute } = await world()
  const empty = Buffer.from([0x0a, 0x00])
  const many = Buffer.concat(Array.from({ length: 300_000 }, () => empty))
  const sideBySide = many
  // A transaction whose list of nodes has as many.
  const within = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(many).finish()
  for (const given of [sideBySide, within])
    assert.match(JSON.stringify(faultOf(await execute(given))), /too many fields/)
})

test('what is pruned is told to who reads it, also in the middle', async () => {
  const { prepare, execute, store, reads } = await world()
  for (const name of ['a', 'b', 'c', 'd']) await execute((await prepare(name)).bytes)
  const eventFormat = { filtersByParty: { [party]: {} } }
  const updateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' as const, eventFormat },
  }
  const list = (beginExclusive: bigint) =>
    boundedList(
      (reading) => openUpdates(reads, { beginExclusive, endInclusive: 4n, updateFormat }, reading),
      { isPaged: true },
      { elements: 200, bytes: 1_000_000 },
      new AbortController().signal,
    )
  const all = await list(0n)
  assert.ok(Array.isArray(all) && all.length === 4)
  const reading = { signal: new AbortController().signal, patience: () => 0 }
  const under = await openUpdates(
    reads,
    { beginExclusive: 1n, endInclusive: 4n, updateFormat },
    reading,
  )
  assert.equal(await store.updates.prune(3n), 'pruned')
  const early = await list(2n)
  assert.ok(early instanceof LedgerError)
  assert.equal(early.cause, 'Updates request from 2 to 4 precedes pruned offset 3')
  assert.equal(early.code, 'PARTICIPANT_PRUNED_DATA_ACCESSED')
  const rest = await list(3n)
  assert.ok(Array.isArray(rest) && rest.length === 1)
  assert.ok(!(under instanceof LedgerError))
  await assert.rejects(Array.fromAsync(under), {
    message: 'Updates request from 1 to 4 precedes pruned offset 3',
  })
  const snapshot = await openActiveContracts(reads, { activeAtOffset: 2n, eventFormat }, reading)
  assert.ok(snapshot instanceof LedgerError)
  assert.equal(snapshot.cause, 'Active contracts request at offset 2 precedes pruned offset 3')
  const now = await openActiveContracts(reads, { activeAtOffset: 4n, eventFormat }, reading)
  assert.ok(!(now instanceof LedgerError))
  assert.equal((await Array.fromAsync(now)).length, 4)
})

test('what was active at an offset stays so, whatever leaves its synchronizer and comes back later', async () => {
  const { prepare, execute, engine, reads } = await world()
  for (const name of ['a', 'b']) await execute((await prepare(name)).bytes)
  const activeAt = async (activeAtOffset: bigint): Promise<readonly string[]> => {
    const request = { activeAtOffset, eventFormat: { filtersByParty: { [party]: {} } } }
    const items = await openActiveContracts(reads, request, {
      signal: new AbortController().signal,
    })
    assert.ok(!(items instanceof LedgerError))
    return (await Array.fromAsync(items)).flatMap(({ contractEntry }) =>
      contractEntry !== undefined && 'JsActiveContract' in contractEntry
        ? [contractEntry.JsActiveContract.createdEvent.contractId]
        : [],
    )
  }
  const [moving = '', staying = ''] = await activeAt(2n)
  const [away, back] = [
    { contractId: moving, to: undefined },
    { contractId: moving, to: engine.synchronizerId },
  ]
  // The last four are of one batch, or of two.
  for (const moves of [[away], [back], [away, back, away, back]]) {
    for (const moved of await Promise.all(moves.map((move) => engine.reassign(move))))
      assert.ok(moved.ok)
  }
  const all = [moving, staying]
  assert.deepEqual(await Promise.all([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map(activeAt)), [
    [moving],
    all,
    [staying],
    all,
    [staying],
    all,
    [staying],
    all,
  ])
})
