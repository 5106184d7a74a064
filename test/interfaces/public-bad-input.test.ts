// Bad input for every operation of scan and of the registry that is served, after the generated
// route tables. They only read: an id that nobody has may be answered with nothing, but what is no
// such value is refused, nothing is a 5xx, and the ledger is as it was. docs/ledger-rules.md,
// "Errors"
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { wire as registry } from '../../generated/registry/routes.gen.ts'
import { wire as scan } from '../../generated/scan/routes.gen.ts'
import { assertSound } from '../support/audit.ts'
import { badRequests } from '../support/bad-requests.ts'
import type { BadRequest } from '../support/bad-requests.ts'
import { assertAllRefused, exampleRequest, isServed } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'

/** Anything that is a value of its kind may be an id that nobody has. */
const isLenient = (_name: string, { expected }: BadRequest): boolean => expected.length !== 1

async function coins(place: StorePlace): Promise<unknown> {
  const { unlocked, supply } = assertSound(await readStore(place))
  return { unlocked: [...unlocked], supply }
}

for (const storage of storesFor('public bad input')) {
  describe(`on ${storage.name}`, () => {
    let service: Service
    let place: StorePlace

    before(async () => {
      const section = await storage.section()
      service = await startService({ config: { storage: section }, seeded: true })
      place = placeOf(section, service.dataDir)
    })

    after(async () => {
      await service.stop()
      await storage.release()
    })

    for (const wire of [scan, registry]) {
      test(`every operation of the ${wire.name} that is served`, async (t) => {
        const document: unknown = JSON.parse(
          await readFile(
            new URL(`../../generated/${wire.name}/openapi.json`, import.meta.url),
            'utf8',
          ),
        )
        const stateBefore = await coins(place)
        let [served, requests] = [0, 0]
        for (const operation of wire.operations) {
          if (!(await isServed(service.url, wire.mount, operation))) continue
          served += 1
          await t.test(operation.operationId, async () => {
            const all = badRequests(wire, operation, document, () => ({
              as: '',
              stranger: '',
              ...exampleRequest(operation, document),
            }))
            requests += await assertAllRefused(
              { url: service.url, tokens: new Map() },
              operation,
              all,
              isLenient,
            )
          })
        }
        console.log(
          `${wire.name}: ${requests} bad requests to ${served} of ${wire.operations.length} operations`,
        )
        assert.deepEqual(await coins(place), stateBefore)
      })
    }
  })
}
