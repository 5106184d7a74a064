// What a transaction leaves: its tree, who sees which node, ids that cover the content, and its
// text.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { contractIdOf } from '../../runtime/engine/contract-id.ts'
import { decodeUpdate } from '../../runtime/engine/index.ts'
import {
  createToy,
  iou,
  iouPeek,
  iouSplit,
  issue,
  must,
  peekHooks,
  sheet,
  templates,
  TRADABLE,
  tradableGive,
} from './toy.ts'
import type { Engine, Projector, Submission, Transaction, Tx } from '../../runtime/engine/index.ts'
import type { Toy } from './toy.ts'

async function transactionOf<R>(toy: Toy, submission: Submission<R>): Promise<Transaction> {
  const seen: Transaction[] = []
  const stop = toy.engine.onCommitted(({ transaction }) => seen.push(transaction))
  must(await toy.engine.submit(submission))
  stop()
  const [transaction] = seen
  if (transaction === undefined) throw new Error('nothing was committed')
  return transaction
}

/** An exercise that creates a contract for carol beside one of an inner exercise. */
async function nested(
  toy: Toy,
): Promise<{ readonly transaction: Transaction; readonly id: string; readonly inner: string }> {
  const id = await issue(toy, 'alice', 5n, ['watcher'])
  const inner = await issue(toy, 'bob', 9n, ['alice'])
  peekHooks.run = (tx) => {
    tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: ['carol'] })
    tx.exercise(iouSplit, inner, 4n)
    return tx.create(sheet, { signers: ['alice'], readers: [] })
  }
  const transaction = await transactionOf(toy, {
    actAs: ['alice', 'bob'],
    userId: 'u',
    commandId: 'c',
    workflowId: 'w',
    traceContext: { traceparent: '00-1-2-01' },
    run: (tx) => {
      tx.exercise(iouPeek, id, ['alice', 'bob'])
      tx.create(sheet, { signers: ['bob'], readers: ['dave'] })
    },
  })
  return { transaction, id, inner }
}

describe('the event tree', () => {
  test('is in pre-order and each exercise says where it ends', async () => {
    const {
      transaction: { events },
    } = await nested(await createToy())
    assert.deepEqual(
      events.map(({ kind, node }) => [kind, node]),
      [
        ['exercise', 0],
        ['create', 1],
        ['exercise', 2],
        ['create', 3],
        ['create', 4],
        ['create', 5],
        ['create', 6],
      ],
    )
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'exercise' ? [event.lastDescendant] : [])),
      [5, 4],
    )
  })

  test('each node is seen by its informees and those of the exercises above it', async () => {
    const {
      transaction: { events },
    } = await nested(await createToy())
    const outer = ['alice', 'bank', 'bob', 'peek-observer']
    assert.deepEqual(
      events.map(({ witnesses }) => witnesses.toSorted()),
      [
        outer,
        [...outer.slice(0, 3), 'carol', 'peek-observer'],
        outer,
        outer,
        outer,
        outer,
        ['bob', 'dave'],
      ],
    )
  })

  test('observers see an exercise that consumes, not one that does not', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n, ['watcher'])
    const { events } = await transactionOf(toy, {
      actAs: ['alice'],
      userId: 'u',
      run: (tx) => tx.exercise(iouSplit, id, 1n),
    })
    assert.deepEqual(events[0]?.witnesses.toSorted(), ['alice', 'bank', 'watcher'])
  })

  test('says what was consumed and what only used', async () => {
    const {
      transaction: { consumed, used },
      id,
      inner,
    } = await nested(await createToy())
    assert.deepEqual([consumed.map(({ contractId }) => contractId), used], [[inner], [id]])
  })

  test('survives being stored', async () => {
    const toy = await createToy()
    const { transaction } = await nested(toy)
    const [update] = await toy.store.updatesAfter(2n, 1)
    const { consumed, ...rest } = transaction
    assert.deepEqual(decodeUpdate(update?.body ?? ''), {
      kind: 'transaction',
      transaction: { ...rest, consumed: consumed.map(({ contractId }) => contractId) },
    })
  })

  test('is stored with what it says more than once in one place', async () => {
    const toy = await createToy()
    const { transaction, inner } = await nested(toy)
    const [{ body = '' } = {}] = await toy.store.updatesAfter(2n, 1)
    assert.equal(body.split(inner).length, 2, 'the contract that it archives is named once')
    const inFull = JSON.stringify(decodeUpdate(body), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    const cost = Number(transaction.bytes)
    assert.ok(cost > inFull.length * 0.8, `${cost} is less than ${inFull.length} would cost`)
    assert.ok(body.length < inFull.length * 0.7, `${body.length} of ${inFull.length}`)
  })

  test('costs its own size and that of each input', async () => {
    const toy = await createToy()
    const one = await issue(toy, 'alice', 5n)
    const two = await issue(toy, 'alice', 6n)
    const archive = (ids: readonly string[]): Submission<void> => ({
      actAs: ['alice', 'bank'],
      userId: 'u',
      run: (tx) => ids.forEach((id) => tx.archive(iou, id)),
    })
    const sizes = await Promise.all(
      [[one], [one, two]].map(
        async (ids) => must(await toy.engine.rehearse(archive(ids))).transaction.bytes,
      ),
    )
    const payload = (await toy.reader.get(iou, one))?.record.payload ?? ''
    assert.ok((sizes[1] ?? 0n) - (sizes[0] ?? 0n) > BigInt(payload.length) + 200n)
  })
})

describe('an interface', () => {
  test('exercises a choice that only the contract’s template knows how to do', async () => {
    const toy = await createToy()
    const id = await issue(toy, 'alice', 5n)
    let given = ''
    const { events } = await transactionOf(toy, {
      actAs: ['alice', 'bob'],
      userId: 'u',
      run: (tx) => {
        given = tx.exerciseInterface(tradableGive, id, 'bob')
      },
    })
    const [event] = events
    assert.equal(event?.kind === 'exercise' && event.interfaceId, TRADABLE)
    assert.equal((await toy.reader.get(iou, given))?.payload.owner, 'bob')
  })

  test('is refused on a contract that does not implement it', async () => {
    const toy = await createToy()
    const id = must(
      await toy.engine.submit({
        actAs: ['bob'],
        userId: 'u',
        run: (tx) => tx.create(sheet, { signers: ['bob'], readers: [] }),
      }),
    )
    const outcome = await toy.engine.submit({
      actAs: ['bob'],
      userId: 'u',
      run: (tx) => tx.exerciseInterface(tradableGive, id.result, 'bob'),
    })
    assert.equal(!outcome.ok && outcome.kind, 'invalid')
  })

  test('shows a view', async () => {
    const toy = await createToy()
    const contract = await toy.reader.get(iou, await issue(toy, 'alice', 5n))
    const template = toy.engine.template('#toy:Toy:Iou')
    assert.ok(contract !== undefined && template !== undefined)
    assert.deepEqual(template.viewOf(contract.record, TRADABLE), { owner: 'alice', amount: '5' })
    assert.equal(template.viewOf(contract.record, 'other'), undefined)
  })
})

describe('commands as JSON', () => {
  let toy: Toy
  let template: ReturnType<Engine['template']>
  before(async () => {
    toy = await createToy()
    template = toy.engine.template(iou.type.id)
  })

  test('create, exercise and archive', async () => {
    const payload = { issuer: 'bank', owner: 'alice', amount: '5', watchers: [] }
    const actAs = ['bank', 'alice']
    const id = must(
      await toy.engine.submit({
        actAs,
        userId: 'u',
        run: (tx) => template?.createJson(tx, payload) ?? '',
      }),
    ).result
    const split = must(
      await toy.engine.submit({
        actAs,
        userId: 'u',
        run: (tx) => template?.choices.get('Iou_Split')?.exerciseJson(tx, id, '2'),
      }),
    )
    assert.ok(Array.isArray(split.result))
    const [part = ''] = split.result
    must(
      await toy.engine.submit({
        actAs,
        userId: 'u',
        run: (tx) => tx.templateOf(part).choices.get('Archive')?.exerciseJson(tx, part, {}),
      }),
    )
    assert.equal((await toy.reader.all(iou)).length, 1)
  })

  test('that no codec reads are invalid', async () => {
    for (const payload of [
      null,
      {},
      { issuer: 'bank', owner: 'alice', amount: '5' },
      { issuer: 1 },
    ]) {
      const outcome = await toy.engine.submit({
        actAs: ['bank'],
        userId: 'u',
        run: (tx) => template?.createJson(tx, payload),
      })
      assert.equal(!outcome.ok && outcome.kind, 'invalid')
    }
    const outcome = await toy.engine.submit({
      actAs: ['bank'],
      userId: 'u',
      run: (tx) => template?.choices.get('Archive')?.exerciseJson(tx, 'x', { now: 1 }),
    })
    assert.equal(!outcome.ok && outcome.kind, 'invalid')
  })

  test('for a template that is not here find none', async () => {
    assert.equal(toy.engine.template('#toy:Toy:None'), undefined)
    await assert.rejects(createToy({ templates: [...templates, ...templates] }), TypeError)
  })
})

describe('contract ids', () => {
  test('differ where anything differs', () => {
    const texts = fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 })
    const content = fc.record({
      seed: fc.string(),
      node: fc.nat(9),
      templateId: fc.string(),
      packageName: fc.string(),
      payload: fc.json(),
      signatories: texts,
      observers: texts,
      createdAt: fc.bigInt(0n, 9n),
    })
    fc.assert(
      fc.property(content, content, (one, other) => {
        const isSame = fc.stringify(one) === fc.stringify(other)
        assert.equal(
          contractIdOf(one.seed, one.node, one) === contractIdOf(other.seed, other.node, other),
          isSame,
        )
      }),
      { numRuns: 500 },
    )
  })

  test('are 49 bytes and start with their version', async () => {
    assert.match(await issue(await createToy(), 'alice', 1n), /^00[0-9a-f]{96}$/)
  })

  test('sort by the time of creation, so that an index takes new ones at its end', async () => {
    const toy = await createToy()
    const ids: string[] = []
    for (let count = 0; count < 20; count += 1) {
      ids.push(await issue(toy, 'alice', 1n))
      toy.clock.now += 1_000_000n
    }
    assert.deepEqual(ids.toSorted(), ids)
  })
})

test('ids of updates sort by time, of transactions and of moves', async () => {
  const toy = await createToy()
  const { reassign, submit } = toy.engine
  const ids: string[] = []
  const run = (tx: Tx): string =>
    tx.create(iou, { issuer: 'bank', owner: 'alice', amount: 1n, watchers: [] })
  for (let count = 0; count < 10; count += 1) {
    const made = must(await submit({ actAs: ['bank', 'alice'], userId: '', run }))
    toy.clock.now += 1_000_000n
    const moved = must(await reassign({ contractId: made.result, to: undefined }))
    toy.clock.now += 1_000_000n
    ids.push(made.updateId, moved.updateId)
  }
  assert.deepEqual(ids.toSorted(), ids)
  for (const id of ids) assert.match(id, /^1220[0-9a-f]{64}$/)
})

test('projections are written with the update', async () => {
  const project: Projector['project'] = ({ updateId, actAs }) => ({
    logs: actAs.map((owner) => ({ log: 'history', owner, id: updateId, body: '{}' })),
    facts: [{ kind: 'last', key: 'update', body: JSON.stringify(updateId) }],
  })
  const toy = await createToy({ projectors: [{ project }] })
  await issue(toy, 'alice', 1n)
  const { updateId } = must(
    await toy.engine.submit({ actAs: ['alice'], userId: 'u', run: () => 1 }),
  )
  const lines = await toy.store.log({ log: 'history', owner: 'alice', after: '', limit: 10 })
  assert.deepEqual([lines.length, lines[0]?.id], [2, updateId])
  assert.equal((await toy.store.fact('last', 'update'))?.body, JSON.stringify(updateId))
})

test('an exercise says what was said in it, just interpreted or read again', async () => {
  const toy = await createToy()
  const id = await issue(toy, 'alice', 10n)
  const run = (tx: Tx) => tx.exercise(iouSplit, id, 3n)
  const { transaction, result } = must(
    await toy.engine.stage({ actAs: ['alice'], userId: 'u', run }),
  )
  const [root] = transaction.events
  assert.ok(root?.kind === 'exercise')
  for (const event of [root, { argument: root.argument, result: root.result }]) {
    assert.equal(iouSplit.argumentOf(event), 3n)
    assert.deepEqual(iouSplit.resultOf(event), result)
  }
})
