// Prepared transactions that were changed on their way, as messages, and signed by the right key
// over the hash that the public scheme gives them: nothing happens but what was prepared, and
// whatever is wrong is the sender's fault. In our own names and under the preset.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { member } from '../../runtime/host/member.ts'
import { ROOT } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { newHolder } from '../support/topology-reference.ts'
import { createRules, commandsOf, createdId, mint, outsideParty } from './ledger-kit.ts'
import { path, RULES, signaturesOf, startLedger } from './ledger-kit.ts'
import type { LedgerClient, OutsideParty } from './ledger-kit.ts'
import { publicHashes } from './public-hash.ts'
import { encode, rewrite, WireMessage } from './wire-message.ts'
import type { WireField } from './wire-message.ts'

const INTERACTIVE = 'POST /v2/interactive-submission'
const [TRANSACTION, METADATA, NODES, SEEDS, V1, EXERCISE] = [1, 2, 3, 4, 1_000, 3]
const [INPUTS, BLOB] = [7, 1_002]
const ROOT_NODE = [TRANSACTION, NODES, V1, EXERCISE]
const FAR = 2n ** 63n

type Change = (fields: readonly WireField[]) => readonly WireField[]

const add =
  (...more: readonly WireField[]): Change =>
  (fields) => [...fields, ...more]
const without =
  (...numbers: readonly number[]): Change =>
  (fields) =>
    fields.filter(([number]) => !numbers.includes(number))
const put =
  (...changed: readonly WireField[]): Change =>
  (fields) => [...without(...changed.map(([number]) => number))(fields), ...changed]

/** A list within lists; each is two levels of messages. */
function nested(depth: number): Buffer {
  let value = encode([8, 'deep'])
  for (let level = 0; level < depth; level += 1) value = encode([11, encode([1, value])])
  return value
}

const ATTACKS: readonly (readonly [string, readonly number[], Change])[] = [
  ['an unknown field', [], add([99, 'x'])],
  ['an unknown field of the transaction', [TRANSACTION], add([99, 1])],
  ['an unknown field of the metadata', [METADATA], add([99, 1])],
  ['an unknown field of a node', ROOT_NODE, add([99, 1])],
  ['an unknown field of an input', [METADATA, INPUTS], add([99, 1])],
  ['a key, which no contract has', ROOT_NODE, add([16, 1])],
  ['the old mapping of keys', [METADATA], add([8, ''])],
  ['metadata twice', [], (fields) => [...fields, ...fields]],
  ['a time beyond the calendar', [METADATA], put([6, FAR])],
  ['a time beyond all numbers', [METADATA], put([6, 2n ** 64n - 1n], [11, 2n ** 64n - 1n])],
  ['times far ahead', [METADATA], put([6, FAR], [11, FAR + 1n])],
  ['bounds beyond the calendar', [METADATA], put([9, FAR], [10, FAR])],
  ['an earlier end, which is not signed', [METADATA], shortened],
  ['no end', [METADATA], without(11)],
  ['an input without its contract as disclosed', [METADATA, INPUTS], without(BLOB)],
  ['an input disclosed as something else', [METADATA, INPUTS], put([BLOB, '[]'])],
  ['an input created later', [METADATA, INPUTS], put([1_000, FAR])],
  ['an input twice', [METADATA], (fields) => [...fields, ...fields.filter(isInput)]],
  ['no inputs', [METADATA], without(INPUTS)],
  ['another version of the language', ROOT_NODE, put([1, '2.2'])],
  ['other signatories', ROOT_NODE, put([5, 'mallory::12'])],
  ['other acting parties', ROOT_NODE, add([7, 'mallory::12'])],
  ['an observer of the choice', ROOT_NODE, add([14, 'mallory::12'])],
  ['an interface', ROOT_NODE, add([8, encode([1, 'p'], [2, 'M'], [3, 'T'])])],
  ['another choice', ROOT_NODE, put([9, 'Archive'])],
  ['a consuming choice', ROOT_NODE, add([11, 1])],
  ['no result', ROOT_NODE, without(13)],
  ['another result', ROOT_NODE, put([13, encode([1, ''])])],
  ['an argument of another type', ROOT_NODE, put([10, encode([8, 'x'])])],
  ['an argument that is no value', ROOT_NODE, put([10, encode([17, 'x'])])],
  ['a deep argument', ROOT_NODE, put([10, nested(190)])],
  ['a far too deep argument', ROOT_NODE, put([10, nested(3_000)])],
  ['no children', ROOT_NODE, without(12)],
  ['a child twice', ROOT_NODE, add([12, '1'])],
  ['a node that is its own child', ROOT_NODE, put([12, '0'])],
  ['a root twice', [TRANSACTION], add([2, '0'])],
  ['no roots', [TRANSACTION], without(2)],
  ['nothing at all', [TRANSACTION], without(2, NODES, SEEDS)],
  ['a node that is fetched', [TRANSACTION, NODES, V1], asKind(2)],
  ['a node that is rolled back', [TRANSACTION, NODES, V1], asKind(4)],
  ['another seed', [TRANSACTION, SEEDS], put([2, Buffer.alloc(32)])],
  ['half a seed', [TRANSACTION, SEEDS], put([2, Buffer.alloc(16)])],
  ['no seeds', [TRANSACTION], without(SEEDS)],
  ['a seed too many', [TRANSACTION], add([SEEDS, encode([1, 7], [2, Buffer.alloc(32)])])],
]

function isInput([number]: WireField): boolean {
  return number === INPUTS
}

function shortened(fields: readonly WireField[]): readonly WireField[] {
  return fields.map(([number, value]) =>
    number === 11 && typeof value === 'bigint' ? [number, value - 1n] : [number, value],
  )
}

function asKind(kind: number): Change {
  return (fields) => fields.map(([, value]) => [kind, value])
}

/** The hash of a signer that signs everything; any hash for invalid bytes. */
function hashOf(bytes: Uint8Array): string {
  try {
    return publicHashes(bytes).prepared.toString('base64')
  } catch {
    return Buffer.alloc(32).toString('base64')
  }
}

const PRESET = 'network-0.6'

/** The name under the preset. */
function wireName(name: string): string {
  const file = readFileSync(join(ROOT, 'spec/presets', `${PRESET}.yaml`), 'utf8')
  const words: readonly { readonly neutral: string; readonly wire: string }[] = parse(file).words
  return words.reduce((made, { neutral, wire }) => made.replaceAll(neutral, wire), name)
}

for (const storage of storesFor('prepared messages')) {
  for (const isPreset of [false, true]) {
    const names = isPreset ? 'under the preset' : 'in our own names'
    describe(`prepared messages ${names} on ${storage.name}`, () => {
      let ledger: LedgerClient
      let carol: OutsideParty
      let rulesId: string
      const templateId = isPreset ? wireName(RULES) : RULES
      const named = (command: object): object =>
        JSON.parse(JSON.stringify(command).replace(RULES, templateId))
      const asCarol = () => ({ ...ledger.alice, party: carol.party })
      const prepare = async (command: object): Promise<Buffer> => {
        const body = { ...commandsOf(asCarol(), named(command)) }
        const answer = await ledger.done(ledger.alice, `${INTERACTIVE}/prepare`, body)
        const bytes = Buffer.from(String(path(answer, 'preparedTransaction')), 'base64')
        assert.equal(path(answer, 'preparedTransactionHash'), hashOf(bytes))
        return bytes
      }
      const execute = (bytes: Uint8Array, user = ledger.alice) =>
        ledger.ask(user, `${INTERACTIVE}/executeAndWaitForTransaction`, {
          preparedTransaction: Buffer.from(bytes).toString('base64'),
          hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
          submissionId: 'submission',
          partySignatures: { signatures: [signaturesOf(carol, hashOf(bytes), carol.holders)] },
        })

      /** Automations of the network go on beside: only what the party sees counts. */
      const seenSince = async (beginExclusive: Awaited<ReturnType<typeof ledger.end>>) =>
        await ledger.done(ledger.alice, 'POST /v2/updates', {
          beginExclusive,
          endInclusive: await ledger.end(),
          updateFormat: {
            includeTransactions: {
              transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
              eventFormat: { filtersByParty: { [carol.party]: {} } },
            },
          },
        })

      before(async () => {
        ledger = await startLedger(storage, isPreset ? { vocabulary: { preset: PRESET } } : {})
        carol = await outsideParty(ledger, 'carol', [newHolder('EC_CURVE25519')])
        const created = await execute(await prepare(createRules(asCarol())))
        assert.equal(created.status, 200, created.text)
        rulesId = createdId(created.json)
      })
      after(() => ledger.stop())

      test('a message that was changed changes nothing, though it is signed as it is', async () => {
        const bytes = await prepare(mint(asCarol(), rulesId, '1'))
        const begin = await ledger.end()
        for (const [name, where, change] of ATTACKS) {
          const changed = rewrite(bytes, where, change)
          assert.notDeepEqual(changed, bytes, name)
          const { status, text, json } = await execute(changed)
          assert.ok(status >= 400 && status < 500, `${name}: ${status} ${text}`)
          assert.ok(String(member(json, 'cause')).length < 2_000, name)
        }
        const endless = await execute(rewrite(bytes, [METADATA], without(11)))
        assert.match(endless.text, /it has no max_record_time/)
        assert.deepEqual(await seenSince(begin), [])
        const done = await execute(bytes)
        assert.equal(done.status, 200, done.text)
      })

      test('the names in a message are those that its clients use', async () => {
        const bytes = await prepare(mint(asCarol(), rulesId, '1'))
        const [transaction] = new WireMessage(bytes).messages(TRANSACTION)
        const root = transaction?.messages(NODES)[0]?.message(V1)?.message(EXERCISE)
        assert.equal(root?.message(4)?.text(2), templateId.split(':')[1])
        const other = isPreset ? 'Network.Test.Token' : 'Other.Test.Token'
        const renamed = rewrite(bytes, [...ROOT_NODE, 4], put([2, other]))
        assert.ok([400, 404].includes((await execute(renamed)).status))
      })

      test('the same message written otherwise is the same transaction, done once', async () => {
        const bytes = await prepare(mint(asCarol(), rulesId, '1'))
        const turned = rewrite(bytes, [], (fields) => fields.toReversed())
        assert.equal(hashOf(turned), hashOf(bytes))
        const answers = await Promise.all([execute(turned), execute(bytes)])
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      })

      test('hundreds of nodes that were never prepared are refused', async () => {
        const bytes = await prepare(mint(asCarol(), rulesId, '1'))
        const [root] = new WireMessage(bytes).messages(TRANSACTION)
        const versioned = root?.messages(NODES)[1]?.bytes(V1) ?? assert.fail('it has no child')
        const ids = Array.from({ length: 800 }, (_, at) => at)
        const flat = put(
          ...ids.map((at): WireField => [2, String(at)]),
          ...ids.map((at): WireField => [NODES, encode([1, String(at)], [V1, versioned])]),
          ...ids.map((at): WireField => [SEEDS, encode([1, at], [2, Buffer.alloc(32)])]),
        )
        const { status, text } = await execute(rewrite(bytes, [TRANSACTION], flat))
        assert.equal(status, 400, text)
      })
    })
  }
}
