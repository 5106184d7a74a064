// Two ledgers that were made alike: ids are drawn, and no two fresh ledgers share one, so that what
// is signed for one is refused by the other (test/authority/replay.test.ts).
// docs/external-parties.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { idsOf, startExternal } from './kit.ts'
import type { ExternalNetwork } from './kit.ts'

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
