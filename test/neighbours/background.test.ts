// Work in the background while requests are served: one piece at a time, each owner in turn, with a
// rest after each that goes by what the piece took. docs/decisions/0018-fair-turns.md
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Background } from '../../runtime/work/background.ts'
import { Callers } from '../../runtime/work/callers.ts'

const PIECE_MS = 2

interface Kit {
  readonly background: Background
  readonly requests: Callers
}

function create(nowMs = (): number => performance.now()): Kit {
  const requests = new Callers(nowMs)
  return { background: new Background({ nowMs, requests }), requests }
}

/** A server that was asked for something just now. */
function serving(nowMs?: () => number): Background {
  const { background, requests } = create(nowMs)
  requests.served()
  return background
}

/** Has the thread for so long. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('where nobody is served, all pieces begin at once', async () => {
  const begun: string[] = []
  const { background } = create()
  const pieces = ['a', 'a', 'b'].map((owner) =>
    background.piece(owner, async () => void begun.push(owner)),
  )
  assert.deepEqual(begun, ['a', 'a', 'b'])
  await Promise.all(pieces)
})

test('while somebody is served, whoever has one piece waits for one of who has many', async () => {
  const begun: string[] = []
  const background = serving()
  await Promise.all(
    ['a', 'a', 'a', 'a', 'b', 'c'].map((owner) =>
      background.piece(owner, async () => void begun.push(owner)),
    ),
  )
  assert.deepEqual(begun, ['a', 'b', 'c', 'a', 'a', 'a'])
})

test('while somebody is served, pieces leave nine tenths of the time to others', async () => {
  const background = serving()
  const beganMs = performance.now()
  await Promise.all(
    Array.from({ length: 4 }, () => background.piece('a', async () => work(PIECE_MS))),
  )
  const tookMs = performance.now() - beganMs
  assert.ok(tookMs >= 4 * PIECE_MS + 3 * 9 * PIECE_MS - 4, `four pieces took ${tookMs} ms`)
})

test('a piece that fails or never ends holds nobody up for long', async () => {
  const background = serving()
  const failing = background.piece('a', () => Promise.reject(new Error('no')))
  const endless = background.piece('b', () => new Promise(() => undefined))
  const last = background.piece('c', async () => 'done')
  await assert.rejects(failing, /no/)
  assert.equal(await Promise.race([last, endless, sleep(10_000)]), 'done')
})

test('once nobody is served any more, what waits goes on without a rest', async () => {
  let nowMs = 0
  const background = serving(() => nowMs)
  const first = background.piece('a', async () => void (nowMs += 10))
  const begun: number[] = []
  const others = Array.from({ length: 3 }, () =>
    background.piece('a', async () => void begun.push(nowMs)),
  )
  nowMs += 2_000
  await Promise.all([first, ...others])
  assert.deepEqual(begun, [2_010, 2_010, 2_010])
})

test('a piece that throws at once holds up nobody', async () => {
  const background = serving()
  const broken = background.piece('a', () => {
    throw new Error('broken')
  })
  const next = background.piece('b', async () => 'done')
  await assert.rejects(broken, /broken/)
  assert.equal(await next, 'done')
})
