// Who may do what, and that nothing is left of what was not allowed. The ledger model's rules.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createToy,
  iou,
  iouGive,
  iouPeek,
  iouSplit,
  issue,
  must,
  peekHooks,
  rules,
  rulesTransfer,
  sheet,
  sheetDescend,
} from './toy.ts'
import type { Committed, Rejected, Tx } from '../../runtime/engine/index.ts'
import type { Toy } from './toy.ts'

async function as<R>(
  toy: Toy,
  actAs: readonly string[],
  run: (tx: Tx) => R,
): Promise<Committed<R> | Rejected> {
  return toy.engine.submit({ actAs, userId: 'u', run })
}

async function rejection(outcome: Promise<Committed<unknown> | Rejected>): Promise<Rejected> {
  const settled = await outcome
  if (settled.ok) throw new Error('it was committed')
  return settled
}

const ofBank = { issuer: 'bank', owner: 'alice', amount: 5n, watchers: ['carol'] }

describe('create', () => {
  for (const actAs of [['bank'], ['alice'], ['carol'], ['bank', 'carol']]) {
    test(`is refused to ${actAs.join(' and ')} where bank and alice sign`, async () => {
      const refused = await rejection(as(await createToy(), actAs, (tx) => tx.create(iou, ofBank)))
      const missing = ['bank', 'alice'].filter((party) => !actAs.includes(party))
      assert.deepEqual(refused, { ok: false, kind: 'unauthorised', missing, what: 'create of Iou' })
    })
  }

  test('needs somebody who signs', async () => {
    const refused = await rejection(
      as(await createToy(), ['alice'], (tx) => tx.create(sheet, { signers: [], readers: [] })),
    )
    assert.equal(refused.kind, 'aborted')
  })

  test('needs the precondition', async () => {
    const refused = await rejection(
      as(await createToy(), ['bank', 'alice'], (tx) => tx.create(iou, { ...ofBank, amount: 0n })),
    )
    assert.equal(
      refused.kind === 'aborted' && refused.reason.message,
      'The precondition of Iou does not hold',
    )
  })

  test('refuses what the codec cannot write', async () => {
    const refused = await rejection(
      as(await createToy(), ['bank', 'alice'], (tx) =>
        tx.create(iou, { ...ofBank, amount: 2n ** 64n }),
      ),
    )
    assert.equal(refused.kind, 'aborted')
  })

  test('refuses a key that no index holds', async () => {
    const owner = 'o'.repeat(1_001)
    const refused = await rejection(
      as(await createToy(), ['bank', owner], (tx) => tx.create(iou, { ...ofBank, owner })),
    )
    assert.equal(refused.kind, 'invalid')
  })
})

describe('exercise', () => {
  for (const [actAs, missing] of [
    [['bank'], ['alice']],
    [['carol'], ['alice']],
  ] as const) {
    test(`of the owner's choice is refused to ${actAs.join()}`, async () => {
      const toy = await createToy()
      const id = await issue(toy, 'alice', 5n, ['carol'])
      const refused = await rejection(as(toy, actAs, (tx) => tx.exercise(iouSplit, id, 1n)))
      assert.deepEqual(refused, {
        ok: false,
        kind: 'unauthorised',
        missing,
        what: 'exercise of Iou_Split',
      })
    })
  }

  test('needs all controllers', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    const refused = await rejection(as(toy, ['alice'], (tx) => tx.exercise(iouGive, id, 'bob')))
    assert.deepEqual(refused.kind === 'unauthorised' && refused.missing, ['bob'])
    must(await as(toy, ['alice', 'bob'], (tx) => tx.exercise(iouGive, id, 'bob')))
  })

  test('needs a controller at all', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    assert.equal(
      (await rejection(as(toy, ['alice'], (tx) => tx.exercise(iouPeek, id, [])))).kind,
      'unauthorised',
    )
  })

  test('gives its body the authority of signatories and controllers, of nobody else', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n, ['carol'])
    const create =
      (owner: string) =>
      (tx: Tx): string =>
        tx.create(iou, { issuer: 'bank', owner, amount: 1n, watchers: [] })
    peekHooks.run = create('carol')
    must(await as(toy, ['carol', 'dave'], (tx) => tx.exercise(iouPeek, id, ['carol'])))
    peekHooks.run = create('dave')
    const refused = await rejection(
      as(toy, ['carol', 'dave'], (tx) => tx.exercise(iouPeek, id, ['carol'])),
    )
    assert.deepEqual(refused.kind === 'unauthorised' && refused.missing, ['dave'])
  })

  test('authority does not outlive the body', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    peekHooks.run = () => 'seen'
    const refused = await rejection(
      as(toy, ['alice'], (tx) => {
        tx.exercise(iouPeek, id, ['alice'])
        return tx.create(iou, ofBank)
      }),
    )
    assert.equal(refused.kind, 'unauthorised')
  })

  test('of another template is invalid', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'bank', 5n)
    const transfer = { from: 'bank', to: 'bank', inputs: [], amount: 0n }
    assert.equal(
      (await rejection(as(toy, ['bank'], (tx) => tx.exercise(rulesTransfer, id, transfer)))).kind,
      'invalid',
    )
    assert.equal((await rejection(as(toy, ['bank'], (tx) => tx.fetch(rules, id)))).kind, 'invalid')
  })
})

describe('fetch and archive', () => {
  test('a fetch needs a stakeholder among those who authorise', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n, ['carol'])
    const fetch = (tx: Tx): bigint => tx.fetch(iou, id).amount
    for (const party of ['bank', 'alice', 'carol'])
      assert.equal(must(await as(toy, [party], fetch)).result, 5n)
    const refused = await rejection(
      toy.engine.submit({ actAs: ['dave'], readAs: ['carol'], userId: 'u', run: fetch }),
    )
    assert.equal(refused.kind, 'unauthorised')
  })

  test('an archive needs all signatories', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    assert.equal(
      (await rejection(as(toy, ['alice'], (tx) => tx.archive(iou, id)))).kind,
      'unauthorised',
    )
    must(await as(toy, ['alice', 'bank'], (tx) => tx.archive(iou, id)))
    assert.equal(await toy.reader.get(iou, id), undefined)
  })
})

describe('a transaction that fails', () => {
  test('leaves nothing, even where a choice catches the exception', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    peekHooks.run = (tx) => tx.create(iou, { ...ofBank, owner: 'nobody' })
    const run = (tx: Tx): void => {
      tx.create(iou, ofBank)
      try {
        tx.exercise(iouPeek, id, ['alice'])
      } catch {
        tx.create(iou, ofBank)
      }
    }
    assert.equal((await rejection(as(toy, ['bank', 'alice'], run))).kind, 'unauthorised')
    const swallows = (tx: Tx): void => {
      try {
        tx.abort({ id: 'x', category: 'state', message: 'no' })
      } catch {
        // As if nothing had been.
      }
    }
    assert.equal((await rejection(as(toy, ['bank'], swallows))).kind, 'aborted')
    assert.equal((await toy.reader.active(iou)).length, 1)
    assert.equal((await toy.store.ledgerEnd()).offset, 1n)
  })

  test('gives the reason of the choice', async () => {
    const reason = {
      id: 'NO_FUNDS',
      category: 'state',
      message: 'no funds',
      metadata: { missing: '3' },
    } as const
    const refused = await rejection(as(await createToy(), ['alice'], (tx) => tx.abort(reason)))
    assert.deepEqual(refused, { ok: false, kind: 'aborted', reason })
  })

  test('rejects where the code is at fault', async () => {
    const broken = as(await createToy(), ['alice'], () => {
      throw new TypeError('a bug')
    })
    await assert.rejects(broken, /a bug/)
  })

  test('cannot be used afterwards', async () => {
    let leaked: Tx | undefined
    must(
      await as(await createToy(), ['alice'], (tx) => {
        leaked = tx
      }),
    )
    assert.throws(() => leaked?.create(sheet, { signers: ['alice'], readers: [] }), /over/)
  })
})

describe('bounds', () => {
  test('exercises nest a hundred deep and no deeper', async () => {
    const toy = await createToy()
    const id = must(
      await as(toy, ['alice'], (tx) => tx.create(sheet, { signers: ['alice'], readers: [] })),
    ).result
    assert.equal(
      must(await as(toy, ['alice'], (tx) => tx.exercise(sheetDescend, id, 99n))).result,
      99n,
    )
    assert.equal(
      (await rejection(as(toy, ['alice'], (tx) => tx.exercise(sheetDescend, id, 100n)))).kind,
      'aborted',
    )
  })

  test('a transaction has ten thousand nodes and no more', async () => {
    const toy = await createToy()
    const create =
      (count: number) =>
      (tx: Tx): void => {
        for (let made = 0; made < count; made += 1)
          tx.create(sheet, { signers: ['alice'], readers: [] })
      }
    must(await as(toy, ['alice'], create(10_000)))
    assert.deepEqual(await rejection(as(toy, ['alice'], create(10_001))), {
      ok: false,
      kind: 'too-large',
      of: 'maxTransactionNodes',
      limit: 10_000,
    })
  })

  test('an endless recursion ends the transaction, not the process', async () => {
    const forever = (): number => forever() + 1
    assert.equal((await rejection(as(await createToy(), ['alice'], forever))).kind, 'aborted')
  })

  test('somebody must act', async () => {
    assert.equal((await rejection(as(await createToy(), [], () => 1))).kind, 'invalid')
  })
})
