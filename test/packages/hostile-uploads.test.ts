// Packages that would like more than they may: another's authority, a name that is not theirs, and
// work without end. Whatever they do is refused with a documented error.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { UploadedTemplates } from '../../runtime/packages/templates/source.ts'
import { contractIdOf } from '../../runtime/engine/contract-id.ts'
import {
  decodeMessage,
  encodeMessage,
  identifierText,
} from '../../runtime/participant/interactive/message.ts'
import { seedOf } from '../../runtime/participant/interactive/prepared-hash.ts'
import { OWN_WORDS } from '../../runtime/participant/interactive/wire-words.ts'
import { ownPackages } from '../../runtime/participant/packages/own-packages.ts'
import { archive, dar, INT64, own, PARTY, TEXT, UNIT } from '../support/dar-writer.ts'
import type { ArchiveFile, ChoiceSpec, PackageSpec, TypeSpec } from '../support/dar-writer.ts'
import { readPrepared } from '../interfaces/hashing-oracle.ts'
import { assertRefused, refusal } from '../support/documented.ts'
import { call } from '../support/http.ts'
import { newStore } from '../support/test-store.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import {
  commandsOf,
  createdId,
  exercise,
  list,
  outsideParty,
  path,
  SHOW,
  signaturesOf,
  startLedger,
  WAIT,
} from '../interfaces/ledger-kit.ts'
import type { LedgerClient } from '../interfaces/ledger-kit.ts'
import { create } from './kit.ts'
import * as write from './expressions.ts'
import type { Write } from './expressions.ts'

const partyOf = (type: TypeSpec, name: string): Write =>
  write.listOf(PARTY, write.field(type, name, write.variable('this')))
const nobody = write.listOf(PARTY)
const choice = { result: UNIT, observers: nobody, body: write.pure(UNIT, write.unit) }

const DEAL = own('Deals:Deal')
const [owner, friend] = [partyOf(DEAL, 'owner'), partyOf(DEAL, 'friend')]

function deals(version: string, choices: readonly string[]): ArchiveFile {
  const added = [
    { ...choice, name: 'ByOwner', controllers: owner },
    { ...choice, name: 'ByFriend', controllers: friend },
  ].filter(({ name }) => choices.includes(name))
  return archive(dealsPackage('deals', version, added))
}

function dealsPackage(name: string, version: string, choices: readonly ChoiceSpec[]): PackageSpec {
  const record = [
    ['owner', PARTY],
    ['friend', PARTY],
  ] as const
  const dataTypes = [{ name: 'Deal', serializable: true, record }]
  const templates = [{ name: 'Deal', signatories: owner, observers: friend, choices }]
  return { name, version, modules: [{ name: 'Deals', dataTypes, templates }] }
}

const HOLDING = 'Network.Api.Token.HoldingV1:Holding'
/** It has our name, and a view without fields. */
const namesake = archive({
  name: 'network-api-token-holding-v1',
  version: '9.0.0',
  modules: [{ name: 'Network.Api.Token.HoldingV1', interfaces: ['Holding'] }],
})

const BURNER = own('Burners:Burner')
const [ADD_INT64, EXPLODE_TEXT, FOLDL, TEXTMAP_EMPTY, TEXTMAP_INSERT, FAIL] = [
  7, 33, 43, 60, 61, 66,
]
const fuel = write.field(BURNER, 'fuel', write.variable('this'))

/** Work that grows with the square of the fuel's length. */
const burning: Write = write.letIn(
  'each',
  { builtin: 10, args: [TEXT] },
  write.apply(write.builtin(EXPLODE_TEXT), fuel),
  write.letIn(
    'burnt',
    INT64,
    counted(counted(write.apply(write.builtin(ADD_INT64), write.variable('n'), write.int(1)))),
    write.variable('burnt'),
  ),
)

/** The value of `body`, from 0, for each of the fuel's characters. */
function counted(body: Write): Write {
  const inner = write.lambda('n', INT64, write.lambda('c', TEXT, body))
  return write.apply(
    write.applyTypes(write.builtin(FOLDL), TEXT, INT64),
    inner,
    write.int(0),
    write.variable('each'),
  )
}

/** Fails with its argument, in all places. */
const failing: Write = write.apply(
  write.applyTypes(write.builtin(FAIL), { builtin: 17, args: [UNIT] }),
  write.variable('arg'),
  write.category(0),
  write.variable('arg'),
  write.apply(
    write.applyTypes(write.builtin(TEXTMAP_INSERT), TEXT),
    write.variable('arg'),
    write.variable('arg'),
    write.applyTypes(write.builtin(TEXTMAP_EMPTY), TEXT),
  ),
)

const burner = partyOf(BURNER, 'owner')
const burners = archive({
  name: 'burners',
  version: '1.0.0',
  modules: [
    {
      name: 'Burners',
      interfaces: ['Hot'],
      dataTypes: [
        {
          name: 'Burner',
          serializable: true,
          record: [
            ['owner', PARTY],
            ['fuel', TEXT],
          ],
        },
      ],
      templates: [
        {
          name: 'Burner',
          signatories: write.letIn('all', INT64, burning, burner),
          observers: nobody,
          interfaces: [own('Burners:Hot')],
          view: ['a', 'b', 'c'].reduce(
            (body: Write, name) => write.letIn(name, INT64, burning, body),
            write.record(own('Burners:HotView'), {}),
          ),
          choices: [
            { ...choice, name: 'Fail', argument: TEXT, controllers: burner, body: failing },
          ],
        },
      ],
    },
  ],
})
const posing = archive({
  name: 'posing',
  version: '1.0.0',
  modules: [
    {
      name: 'Posing',
      dataTypes: [{ name: 'Poser', serializable: true, record: [['owner', PARTY]] }],
      templates: [
        {
          name: 'Poser',
          signatories: partyOf(own('Posing:Poser'), 'owner'),
          observers: nobody,
          interfaces: [{ constructed: HOLDING, package: namesake.packageId }],
        },
      ],
    },
  ],
})

/** Its choice makes a contract of another package. */
function reachingInto(packageId: string): ArchiveFile {
  const reacher = partyOf(own('Reaching:Reacher'), 'owner')
  const party = write.field(own('Reaching:Reacher'), 'owner', write.variable('this'))
  const deal = { constructed: 'Deals:Deal', package: packageId }
  const made = write.create('Deals:Deal', write.record(deal, { owner: party, friend: party }), packageId)
  const contractId = { builtin: 8, args: [deal] }
  const body = write.bind('made', contractId, made, choice.body)
  return archive({
    name: 'reaching',
    version: '1.0.0',
    modules: [
      {
        name: 'Reaching',
        dataTypes: [{ name: 'Reacher', serializable: true, record: [['owner', PARTY]] }],
        templates: [
          {
            name: 'Reacher',
            signatories: reacher,
            observers: nobody,
            choices: [{ ...choice, name: 'Reach', controllers: reacher, body }],
          },
        ],
      },
    ],
  })
}

const REACHING = '#reaching:Reaching:Reacher'
const [DEALS, BURNERS, POSING] = [
  '#deals:Deals:Deal',
  '#burners:Burners:Burner',
  '#posing:Posing:Poser',
]
const PREPARE = 'POST /v2/interactive-submission/prepare'
const EXECUTE = 'POST /v2/interactive-submission/executeAndWait'
/** Of which each burns a part of this, and a view of this a part of what it may. */
const STEPS = 1_000_000

test('packages that are not used are forgotten when many others are', async () => {
  const { packages } = await newStore()
  const all = ['one', 'two', 'three'].map((name) => archive(dealsPackage(name, '1.0.0', [])))
  const uploads = all.map(({ name, packageId, payload }) => ({
    packageId,
    name,
    version: '1.0.0',
    size: payload.length,
    summary: JSON.stringify({ dependencies: [] }),
    readPayload: async () => payload,
  }))
  await packages.upload(uploads, [], 0n)
  const size = all[0]?.payload.length ?? 0
  const source = new UploadedTemplates(
    {
      packages,
      inCode: ownPackages(OWN_WORDS),
      limits: { steps: 1_000, cells: 1_000, depth: 1_000 },
    },
    size / 2,
  )
  const ids = all.map(({ packageId }) => `${packageId}:Deals:Deal`)
  for (const [at, id] of ids.entries()) {
    await source.ready([id])
    assert.deepEqual(
      ids.map((each) => source.get(each) !== undefined),
      ids.map((_, index) => index === at),
    )
  }
  await source.ready(ids.slice(0, 1))
  assert.equal(source.get(ids[0] ?? '')?.id, ids[0])
  const held = source.hold()
  await held.ready(ids.slice(0, 1))
  const first = held.get(ids[0] ?? '')
  for (const id of ids) await source.ready([id])
  assert.equal(source.get(ids[0] ?? ''), undefined)
  await held.ready(ids)
  assert.ok(ids.every((id) => held.get(id)?.id === id))
  assert.equal(held.get(ids[0] ?? ''), first, 'a transaction stays with the program that it began with')
})

for (const storage of storesFor('packages that run'))
  describe(`uploads that want more than they may on ${storage.name}`, () => {
    let ledger: LedgerClient

    before(async () => {
      ledger = await startLedger(storage, { ledger: { evaluation: { steps: STEPS } } })
    })
    after(() => ledger.stop())

    const upload = (...archives: readonly [ArchiveFile, ...ArchiveFile[]]) =>
      put('POST /v2/packages', ...archives)
    const put = async (
      where: string,
      ...[main, ...others]: readonly [ArchiveFile, ...ArchiveFile[]]
    ) => {
      const answer = await call(ledger.service.url, where, {
        token: ledger.admin,
        raw: new Uint8Array(dar({ main, others })),
        headers: { 'content-type': 'application/octet-stream' },
      })
      assert.equal(answer.status, 200, answer.text)
    }
    const burn = (length: number) =>
      create(BURNERS, { owner: ledger.alice.party, fuel: 'x'.repeat(length) })

    test("a later version gives nobody the signatory's authority", async () => {
      const { alice, bob } = ledger
      const make = async () =>
        createdId(
          await ledger.show(alice, create(DEALS, { owner: alice.party, friend: bob.party })),
        )
      await upload(deals('1.0.0', []))
      const [first, second] = [await make(), await make()]
      await upload(deals('2.0.0', ['ByOwner', 'ByFriend']))
      const refused = await ledger.ask(
        bob,
        WAIT,
        commandsOf(bob, exercise(DEALS, first, 'ByFriend', {})),
      )
      assert.equal(refused.status, 400, refused.text)
      await ledger.submit(alice, exercise(DEALS, second, 'ByOwner', {}))
      await ledger.submit(bob, exercise(DEALS, await make(), 'ByFriend', {}))
    })

    test('an interface that has the name of ours and other types is not ours', async () => {
      const { alice } = ledger
      await upload(posing, namesake)
      const shown = await ledger.show(alice, create(POSING, { owner: alice.party }))
      const id = createdId(shown)
      const found = await active(ledger, `#network-api-token-holding-v1:${HOLDING}`)
      assert.ok(found.every((event) => path(event, 'contractId') !== id))
      const [theirs] = await active(ledger, `${namesake.packageId}:${HOLDING}`)
      assert.equal(path(theirs, 'contractId'), id)
      const ours = exercise(`#network-api-token-holding-v1:${HOLDING}`, id, 'Archive', {})
      assert.equal((await ledger.ask(alice, WAIT, commandsOf(alice, ours))).status, 400)
    })

    test('all commands of a submission share one budget', async () => {
      const { alice } = ledger
      await upload(burners)
      await ledger.submit(alice, burn(200))
      const commands = Array.from({ length: 20 }, () => burn(200))
      const before = await active(ledger, '#burners:Burners:Hot')
      const refused = await ledger.ask(alice, WAIT, commandsOf(alice, ...commands))
      assertRefused(refused, refusal(9, 'INTERPRETATION_USER_ERROR', { cause: /steps/ }))
      assert.equal(path(refused.json, 'context', 'error_id'), 'evaluation-limit')
      const after = await active(ledger, '#burners:Burners:Hot')
      assert.equal(after.length, before.length)
    })

    test('a view has a part of the budget, and the views of an update share one', async () => {
      const { alice } = ledger
      const [cold, hot] = [
        createdId(await ledger.show(alice, burn(2))),
        createdId(await ledger.show(alice, burn(200))),
      ]
      const found = await active(ledger, '#burners:Burners:Hot')
      const statusOf = (id: string) =>
        path(
          found.find((event) => path(event, 'contractId') === id),
          'interfaceViews',
          0,
          'viewStatus',
        )
      assert.equal(path(statusOf(cold), 'code'), 0)
      assert.equal(path(statusOf(hot), 'code'), 9)
      assert.match(String(path(statusOf(hot), 'message')), /at most 10000 steps/)
      const commands = Array.from({ length: 150 }, () => burn(24))
      const shown = await ledger.ask(alice, SHOW, {
        commands: commandsOf(alice, ...commands),
        transactionFormat: {
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
          eventFormat: format(ledger, '#burners:Burners:Hot'),
        },
      })
      assert.equal(shown.status, 200, shown.text)
      const codes = list(path(shown.json, 'transaction', 'events')).map((event) =>
        path(event, 'CreatedEvent', 'interfaceViews', 0, 'viewStatus', 'code'),
      )
      assert.equal(codes[0], 0)
      assert.equal(codes.at(-1), 9)
    })

    test('bytes made by hand do not run a package that is not vetted', async () => {
      const { alice } = ledger
      const carol = await outsideParty(ledger, 'carol', [newHolder('EC_CURVE25519')])
      const strange = deals('9.0.0', [])
      await upload(deals('1.0.0', []))
      await put('POST /v2/packages?vetAllPackages=false', strange)
      const command = create(DEALS, { owner: carol.party, friend: carol.party })
      const prepared = await ledger.done(alice, PREPARE, commandsOf(carol, command))
      const bytes = Buffer.from(String(path(prepared, 'preparedTransaction')), 'base64')
      const execute = (changed: Uint8Array) => {
        const preparedTransaction = Buffer.from(changed).toString('base64')
        const hash = Buffer.from(readPrepared(preparedTransaction).hash).toString('base64')
        return ledger.ask(alice, EXECUTE, {
          preparedTransaction,
          hashingSchemeVersion: path(prepared, 'hashingSchemeVersion'),
          submissionId: 'by hand',
          partySignatures: { signatures: [signaturesOf(carol, hash, carol.holders)] },
        })
      }
      const refused = await execute(createdBy(strange.packageId, bytes))
      assertRefused(refused, refusal(8, 'INVALID_ARGUMENT', { cause: /no package that is vetted/ }))
      const [vetted = ''] = /[0-9a-f]{64}(?=.{0,4}Deals)/s.exec(bytes.toString('latin1')) ?? []
      const done = await execute(createdBy(vetted, bytes))
      assert.equal(done.status, 200, done.text)
    })

    test('a choice of a vetted package does not reach one that is not vetted', async () => {
      const { alice } = ledger
      const hidden = archive(dealsPackage('hidden', '1.0.0', []))
      const reaching = reachingInto(hidden.packageId)
      await put('POST /v2/packages?vetAllPackages=false', reaching, hidden)
      const vet = (packageId: string, ...updateVettedPackagesForceFlags: readonly string[]) =>
        call(ledger.service.url, 'POST /v2/package-vetting/update', {
          token: ledger.admin,
          body: {
            changes: [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }],
            updateVettedPackagesForceFlags,
          },
        })
      const flag = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'
      assert.equal((await vet(reaching.packageId, flag)).status, 200)
      const id = createdId(await ledger.show(alice, create(REACHING, { owner: alice.party })))
      const reach = () =>
        ledger.ask(alice, WAIT, commandsOf(alice, exercise(REACHING, id, 'Reach', {})))
      assertRefused(
        await reach(),
        refusal(9, 'PACKAGE_SELECTION_FAILED', { cause: new RegExp(hidden.packageId) }),
      )
      assert.equal((await vet(hidden.packageId)).status, 200)
      const reached = await reach()
      assert.equal(reached.status, 200, reached.text)
    })

    test('a party that is none is refused by the name of its field', async () => {
      const { alice } = ledger
      for (const text of ['a party!', '', 'x'.repeat(256), 'ä'])
        assertRefused(
          await ledger.ask(
            alice,
            WAIT,
            commandsOf(alice, create(DEALS, { owner: alice.party, friend: text })),
          ),
          refusal(8, 'COMMAND_PREPROCESSING_FAILED', { cause: /\/friend: expected a party/ }),
        )
    })

    test('what code fails with is told in short', async () => {
      const { alice } = ledger
      const contractId = createdId(await ledger.show(alice, burn(1)))
      const choiceArgument = '😀'.repeat(100_000)
      const fail = {
        ExerciseCommand: { templateId: BURNERS, contractId, choice: 'Fail', choiceArgument },
      }
      const refused = await ledger.ask(alice, WAIT, commandsOf(alice, fail))
      assertRefused(refused, refusal(9, 'INTERPRETATION_USER_ERROR'))
      assert.ok(JSON.stringify(refused.json).isWellFormed())
      assert.ok(refused.text.length < 6_000, `${refused.text.length}`)
    })
  })

/** A prepared create of one contract, by the template of that name in another package. */
function createdBy(packageId: string, bytes: Uint8Array): Uint8Array {
  const message = decodeMessage(bytes)
  assert.ok(typeof message !== 'string')
  const { transaction, metadata } = message
  const [only] = transaction.nodes
  assert.ok(only?.node.kind === 'create')
  const templateId = { ...only.node.templateId, packageId }
  const { signatories, packageName } = only.node
  const { preparationTime, maxRecordTime, submitter, transactionUuid } = metadata
  const { actAs, commandId } = submitter
  const seed = seedOf({ actAs, commandId, transactionUuid, expiresAt: maxRecordTime + 1n })
  const [party = ''] = signatories
  const contractId = contractIdOf(Buffer.from(seed).toString('hex'), 0, {
    templateId: identifierText(templateId),
    packageName,
    payload: JSON.stringify({ owner: party, friend: party }),
    signatories,
    observers: [],
    createdAt: preparationTime,
  })
  const node = { ...only.node, templateId, contractId }
  return encodeMessage({
    ...message,
    transaction: { ...transaction, nodes: [{ ...only, node }] },
  })
}

const format = ({ alice }: LedgerClient, interfaceId: string) => {
  const value = { interfaceId, includeInterfaceView: true }
  const filter = { cumulative: [{ identifierFilter: { InterfaceFilter: { value } } }] }
  return { filtersByParty: { [alice.party]: filter }, verbose: true }
}

/** Active contracts of an interface, with their views. */
async function active(ledger: LedgerClient, interfaceId: string): Promise<readonly unknown[]> {
  const found = await ledger.done(ledger.alice, 'POST /v2/state/active-contracts', {
    activeAtOffset: await ledger.end(),
    eventFormat: format(ledger, interfaceId),
  })
  return list(found).map((each) => path(each, 'contractEntry', 'JsActiveContract', 'createdEvent'))
}
