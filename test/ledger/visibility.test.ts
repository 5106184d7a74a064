// Which contracts a submission can look up, and that a disclosed contract must be genuine.
// docs/ledger-rules.md, "Visibility"
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { contractIdOf } from '../../runtime/engine/contract-id.ts'
import { encodeBlob, verifyBlob } from '../../runtime/engine/index.ts'
import { createToy, iou, iouPeek, issue, must, peekHooks } from './toy.ts'
import type { Committed, Rejected, Submission } from '../../runtime/engine/index.ts'
import type { Toy } from './toy.ts'

async function peek(
  toy: Toy,
  id: string,
  extra: Partial<Submission<string>>,
): Promise<Committed<string> | Rejected> {
  peekHooks.run = () => 'seen'
  return toy.engine.submit({
    actAs: ['dave'],
    userId: 'u',
    run: (tx) => tx.exercise(iouPeek, id, ['dave']),
    ...extra,
  })
}

async function record(toy: Toy, id: string) {
  const contract = await toy.reader.get(iou, id)
  if (contract === undefined) throw new Error('it is gone')
  return contract.record
}

describe('lookups', () => {
  test('a stranger does not find a contract, one that reads as a stakeholder does', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n, ['carol'])
    assert.deepEqual(await peek(toy, id, {}), {
      ok: false,
      kind: 'contract-not-found',
      contractId: id,
    })
    for (const party of ['bank', 'alice', 'carol']) must(await peek(toy, id, { readAs: [party] }))
  })

  test('a contract on its way is no more visible than one that is there', async () => {
    const toy = await createToy()
    const staged = must(
      await toy.engine.stage({
        actAs: ['bank', 'alice'],
        userId: 'u',
        run: (tx) => tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] }),
      }),
    )
    assert.equal((await peek(toy, staged.result, {})).ok, false)
    must(await peek(toy, staged.result, { readAs: ['alice'] }))
    must(await staged.committed)
  })

  test('an unknown id, an archived one and one that is no id are all not found', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    must(
      await toy.engine.submit({
        actAs: ['alice', 'bank'],
        userId: 'u',
        run: (tx) => tx.archive(iou, id),
      }),
    )
    for (const contractId of [id, `00${'7'.repeat(96)}`, 'nonsense']) {
      assert.deepEqual(await peek(toy, contractId, { readAs: ['alice'] }), {
        ok: false,
        kind: 'contract-not-found',
        contractId,
      })
    }
  })
})

describe('disclosed contracts', () => {
  test('a blob or a record makes a contract visible', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    const contract = await record(toy, id)
    must(await peek(toy, id, { disclosed: [encodeBlob(contract)] }))
    must(await peek(toy, id, { disclosedContracts: [contract] }))
  })

  test('an archived contract does not come back by being disclosed', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    const contract = await record(toy, id)
    must(
      await toy.engine.submit({
        actAs: ['alice', 'bank'],
        userId: 'u',
        run: (tx) => tx.archive(iou, id),
      }),
    )
    for (const extra of [
      { disclosed: [encodeBlob(contract)] },
      { disclosedContracts: [contract] },
    ]) {
      assert.deepEqual(await peek(toy, id, extra), {
        ok: false,
        kind: 'contract-not-found',
        contractId: id,
      })
    }
  })

  test('a contract that somebody made up is not found, though its id fits', async () => {
    const toy = await createToy()
    const contract = await record(toy, await issue(toy, 'alice', 5n))
    const payload = contract.payload.replace('"5"', '"500"')
    const forged = {
      ...contract,
      payload,
      contractId: contractIdOf('a seed', 0, { ...contract, payload }),
    }
    const outcome = await peek(toy, forged.contractId, { disclosed: [encodeBlob(forged)] })
    assert.equal(!outcome.ok && outcome.kind, 'contract-not-found')
  })

  test('an altered blob is invalid, whatever was altered', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n, ['carol'])
    const contract = await record(toy, id)
    const altered = [
      { ...contract, payload: contract.payload.replace('"5"', '"6"') },
      { ...contract, signatories: ['bank', 'mallory'] },
      { ...contract, observers: [] },
      { ...contract, templateId: contract.templateId.replace('Iou', 'Rules') },
      { ...contract, packageName: 'other' },
      { ...contract, createdAt: contract.createdAt + 1n },
      { ...contract, contractId: id.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
    ]
    for (const each of altered) {
      const outcome = await peek(toy, id, { disclosed: [encodeBlob(each)] })
      assert.equal(!outcome.ok && outcome.kind, 'invalid')
    }
  })

  test('what is no blob at all is invalid', () => {
    const texts = [
      '',
      'x',
      'bnVsbA==',
      'W10=',
      '!!!',
      Buffer.from('[1,2,3,4,5,6,7]').toString('base64'),
    ]
    for (const text of texts) assert.equal(verifyBlob(text), undefined)
  })

  test('no byte of a blob can change', async () => {
    const toy = await createToy()
    const contract = await record(toy, await issue(toy, 'alice', 5n, ['carol']))
    const bytes = Buffer.from(encodeBlob(contract), 'base64')
    assert.equal(verifyBlob(bytes.toString('base64')), contract.contractId)
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        (index, difference) => {
          const altered = Buffer.from(bytes)
          altered[index] = (altered[index] ?? 0) ^ difference
          assert.equal(verifyBlob(altered.toString('base64')), undefined)
        },
      ),
      { numRuns: 300 },
    )
  })
})
