// What is signed for one ledger is refused by another, by name, though both were made alike: ids
// are drawn, and no two fresh ledgers share one. docs/external-parties.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import {
  EXTERNAL,
  generate,
  hosted,
  idsOf,
  newKey,
  prepareAccept,
  propose,
  signedTopology,
  startExternal,
  submissionOf,
} from './kit.ts'
import type { External, ExternalNetwork } from './kit.ts'

/** The same key and hint, so the same party id, on another ledger. */
async function hostedAgain(network: ExternalNetwork, { party, holder }: External): Promise<void> {
  const generated = await generate(network, party.split('::')[0] ?? '', holder)
  assert.equal(generated.party, party)
  await network.done(
    'operator',
    `POST ${EXTERNAL}/topology/submit`,
    signedTopology(generated, holder),
  )
}

for (const storage of storesFor('external parties: another ledger')) {
  describe(`two fresh ledgers on ${storage.name}`, () => {
    let [one, other]: ExternalNetwork[] = []
    const both = (): readonly [ExternalNetwork, ExternalNetwork] => {
      assert.ok(one && other)
      return [one, other]
    }
    before(async () => {
      one = await startExternal(storage)
      other = await startExternal(storage)
    })
    after(async () => {
      await other?.stop()
      await one?.stop()
    })

    test('they share no id, and their names are alike', async () => {
      const [mine, theirs] = await Promise.all(both().map(idsOf))
      assert.ok(mine && theirs)
      for (const [name, id] of Object.entries(mine)) {
        const found: unknown = member(theirs, name)
        const [hint, namespace] = id.split('::')
        const [otherHint, otherNamespace] = String(found).split('::')
        assert.equal(hint, otherHint)
        assert.notEqual(namespace, otherNamespace)
        assert.match(String(namespace), /^1220[0-9a-f]{64}$/)
      }
      assert.match(mine.dso, /^DSO::/)
      assert.match(mine.synchronizer, /^global-domain::/)
    })

    test('a prepared transaction that was signed for one is refused by the other, and names it', async () => {
      const [mine, theirs] = both()
      const dora = await hosted(mine, 'dora')
      await hostedAgain(theirs, dora)
      const signed = submissionOf(dora, await prepareAccept(mine, dora, await propose(mine, dora)))
      const accept = `POST ${EXTERNAL}/setup-proposal/submit-accept`
      const before = await theirs.end()
      const refused = await theirs.ask('operator', accept, signed)
      assert.equal(refused.status, 400, refused.text)
      const [own, others] = [await idsOf(mine), await idsOf(theirs)]
      assert.ok(refused.text.includes(own.synchronizer), refused.text)
      assert.ok(refused.text.includes(others.synchronizer), refused.text)
      assert.equal(await theirs.end(), before)
      await mine.done('operator', accept, signed)
    })

    test('signed topology is for the node that it names, and another says which one it is', async () => {
      const [mine, theirs] = both()
      const holder = newKey()
      const signed = signedTopology(await generate(mine, 'erin', holder), holder)
      const submit = `POST ${EXTERNAL}/topology/submit`
      const refused = await theirs.ask('operator', submit, signed)
      assert.equal(refused.status, 400, refused.text)
      assert.ok(refused.text.includes((await idsOf(theirs)).participant), refused.text)
      await mine.done('operator', submit, signed)
    })
  })

  if (storage.durable)
    test(`a ledger on ${storage.name} keeps its ids, and the configuration can insist on them`, async () => {
      const config = { storage: await storage.section() }
      const first = await startService({ config })
      const idOf = async (): Promise<string> => {
        const { json } = await call(first.url, 'GET /v2/state/connected-synchronizers', {
          token: await first.token('participant_admin'),
        })
        return Object(json).connectedSynchronizers[0].synchronizerId
      }
      const id = await idOf()
      await first.stop()
      const start = (synchronizerId: string) =>
        startService({
          config: { ...config, ledger: { synchronizerId } },
          dataDir: first.dataDir,
          port: Number(new URL(first.url).port),
        })
      const wrong = `global-domain::1220${'ab'.repeat(32)}`
      await assert.rejects(start(wrong), new RegExp(`"${wrong}", but this ledger's is "${id}"`))
      for (const name of [id, 'renamed']) {
        const again = await start(name)
        assert.equal(await idOf(), id)
        await again.stop()
      }
      await storage.release()
    })
}
