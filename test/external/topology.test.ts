// Hosting parties whose keys are outside: what is to be signed is what the rules say, byte for
// byte, and only what the key signed comes about. docs/external-parties.md; docs/economy-rules.md,
// "External parties"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import type { Answer } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  base64,
  delegationTransaction,
  hostingTransaction,
  keyMappingTransaction,
  multiHashOf,
  signatureOf,
  transactionHashOf,
} from '../support/topology-reference.ts'
import {
  assertRefused,
  EXTERNAL,
  generate,
  hosted,
  idsOf,
  newKey,
  rawKey,
  signedTopology,
  signHex,
  startExternal,
} from './kit.ts'
import type { ExternalNetwork } from './kit.ts'

const RAW = 3
const CONFIRMATION = 2

for (const storage of storesFor('external parties: topology')) {
  describe(`hosting external parties on ${storage.name}`, () => {
    let network: ExternalNetwork
    const submit = (body: object): Promise<Answer> =>
      network.ask('operator', `POST ${EXTERNAL}/topology/submit`, body)
    const isKnown = async (party: string): Promise<boolean> => {
      const { json } = await network.ask(
        'participant_admin',
        `GET /v2/parties/${encodeURIComponent(party)}`,
      )
      const found = member(json, 'partyDetails')
      return Array.isArray(found) && found.length === 1
    }
    const rights = async (): Promise<string> =>
      (await network.ask('participant_admin', 'GET /v2/users/operator/rights')).text

    before(async () => {
      network = await startExternal(storage)
    })
    after(() => network.stop())

    test('three transactions are to be signed, each by its hash', async () => {
      const holder = newKey()
      const { party, transactions } = await generate(network, 'dora', holder)
      assert.equal(party, `dora::${holder.fingerprint}`)
      const { participant } = await idsOf(network)
      const key = { spec: holder.spec, spki: rawKey(holder), format: RAW }
      const expected = [
        delegationTransaction(holder.fingerprint, key),
        hostingTransaction({ party, threshold: 1, hosts: [[participant, CONFIRMATION]] }),
        keyMappingTransaction(party, 1, [key]),
      ]
      assert.deepEqual(
        transactions,
        expected.map((bytes) => ({ topology_tx: base64(bytes), hash: transactionHashOf(bytes) })),
      )
      assert.equal(await isKnown(party), false, 'nothing is stored')
    })

    test('what is signed is hosted, for which the operator gets no right; the same again changes nothing', async () => {
      const [holder, granted] = [newKey(), await rights()]
      const generated = await generate(network, 'erin', holder)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => submit(signedTopology(generated, holder))),
      )
      assert.deepEqual(
        answers.map(({ status, json }) => [status, json]),
        answers.map(() => [200, { party_id: generated.party }]),
      )
      assert.equal(await isKnown(generated.party), true)
      assert.equal((await submit(signedTopology(generated, holder))).status, 200)
      assert.equal(await rights(), granted)
    })

    test('one key has as many parties as it names', async () => {
      const holder = newKey()
      for (const hint of ['one', 'two']) {
        const generated = await generate(network, hint, holder)
        assert.equal((await submit(signedTopology(generated, holder))).status, 200)
        assert.equal(await isKnown(generated.party), true)
      }
    })

    test('keys and hints that are none are refused', async () => {
      const key = rawKey(newKey())
      const cases = [
        { party_hint: 'x', public_key: '' },
        { party_hint: 'x', public_key: key.slice(2) },
        { party_hint: 'x', public_key: `${key}00` },
        { party_hint: 'x', public_key: key.replace(/^./, 'g') },
        { party_hint: 'x', public_key: `0x${key.slice(2)}` },
        { party_hint: '', public_key: key },
        { party_hint: 'a::b', public_key: key },
        { party_hint: 'ä', public_key: key },
        { party_hint: 'x'.repeat(186), public_key: key },
        { party_hint: 'a\0', public_key: key },
      ]
      for (const body of cases) {
        await assertRefused(network, 400, () =>
          network.ask('operator', `POST ${EXTERNAL}/topology/generate`, body),
        )
      }
    })

    test('what the key did not sign, or is no onboarding of one party here, is refused, and nobody is hosted', async () => {
      const [holder, other] = [newKey(), newKey()]
      const generated = await generate(network, 'frank', holder)
      const proper = signedTopology(generated, holder)
      const signed = proper.signed_topology_txs
      const [root, hosting, mapping] = signed
      assert.ok(root !== undefined && hosting !== undefined && mapping !== undefined)
      const altered = {
        ...hosting,
        topology_tx: base64(
          hostingTransaction({ party: generated.party, threshold: 1, hosts: [['x::1220', 2]] }),
        ),
      }
      const byOther = signedTopology(generated, other)
      const bodies: Readonly<Record<string, object>> = {
        'another key': { ...proper, public_key: rawKey(other) },
        'signed by another key': byOther,
        'signed by another key that is called the right one': {
          ...byOther,
          public_key: rawKey(holder),
        },
      }
      const lists: Readonly<Record<string, readonly object[]>> = {
        'a signature of another transaction': [
          { ...root, signed_hash: hosting.signed_hash },
          hosting,
          mapping,
        ],
        'a signature of another hash': [
          root,
          { ...hosting, signed_hash: signHex(holder, '12'.repeat(34)) },
          mapping,
        ],
        'an altered transaction': [root, altered, mapping],
        'no hosting': [root, mapping],
        'no key': [root, hosting],
        'no root': [hosting, mapping],
        'twice the same': [...signed, hosting],
        nothing: [],
        'no hexadecimal': [{ ...root, signed_hash: 'zz' }, hosting, mapping],
        'half a signature': [
          { ...root, signed_hash: root.signed_hash.slice(64) },
          hosting,
          mapping,
        ],
        'no base64': [{ ...root, topology_tx: '!' }, hosting, mapping],
        'no transaction': [{ ...root, topology_tx: 'AAAA' }, hosting, mapping],
      }
      const cases = [
        ...Object.entries(bodies),
        ...Object.entries(lists).map(
          ([name, signed_topology_txs]) => [name, { ...proper, signed_topology_txs }] as const,
        ),
      ]
      const granted = await rights()
      for (const [name, body] of cases) {
        await assertRefused(network, 400, () => submit(body)).catch((error: unknown) =>
          assert.fail(`${name}: ${String(error)}`),
        )
        assert.equal(await isKnown(generated.party), false, name)
      }
      assert.equal(await rights(), granted)
    })

    test('a party that is hosted with other keys stays as it is', async () => {
      const [holder, second] = [newKey(), newKey()]
      const generated = await generate(network, 'gina', holder)
      const { participant, synchronizer } = await idsOf(network)
      const hosting = {
        party: generated.party,
        threshold: 1,
        hosts: [[participant, CONFIRMATION]],
      } as const
      const wrapper = hostingTransaction({ ...hosting, keys: [holder, second], keyThreshold: 2 })
      await network.done('participant_admin', 'POST /v2/parties/external/allocate', {
        synchronizer,
        onboardingTransactions: [{ transaction: base64(wrapper) }],
        multiHashSignatures: [holder, second].map((each) =>
          signatureOf(each, multiHashOf([wrapper])),
        ),
      })
      await assertRefused(
        network,
        409,
        () => submit(signedTopology(generated, holder)),
        /other keys/,
      )
    })

    test("a hosted party is nobody's to command but its own", async () => {
      const { party } = await hosted(network, 'hugo')
      const command = {
        CreateCommand: {
          templateId: '#network-test-token:Network.Test.Token:TestTokenRules',
          createArguments: { admin: party },
        },
      }
      const answer = await network.ask('operator', 'POST /v2/commands/submit-and-wait', {
        commandId: 'x',
        actAs: [party],
        commands: [command],
      })
      assert.equal(answer.status, 404, answer.text)
      assert.match(answer.text, /NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT/)
    })
  })
}
