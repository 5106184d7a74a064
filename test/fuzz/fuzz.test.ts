// The fuzz at the size of continuous integration; `npm run full:fuzz` is the whole of it. And that
// it sees what it is there to see: a service that fails, shows its inside, answers by halves or not
// at all, lets strangers in and forgets is found out.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STORAGES } from '../support/storages.ts'
import { playOn } from './episodes.ts'
import { FAULTS, startFaultyProxy } from './faulty-proxy.ts'
import type { Fault } from './faulty-proxy.ts'
import { Report } from './report.ts'
import { loadSurface } from './surface.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

const SEED = Number(process.env['SEED'] ?? 1)
const STORE = process.env['STORE'] ?? 'memory'
const REQUESTS = 6_000
/** A busy machine does less. */
const LIMIT_MS = 1_500
const LEAST = 200
const FAULTY_REQUESTS = 1_500
const LEAST_FAULTS = 4

const surface = loadSurface()
const newReport = (): Report => new Report(surface.map(({ name }) => name))
let world: World

before(async () => {
  const storage = STORAGES.find(({ name }) => name === STORE)
  assert.ok(storage, `there is no store ${STORE}`)
  world = await openWorld(storage)
})
after(async () => {
  await world.stop()
  await world.storage.release()
})

test('whatever is asked, nothing but documented answers, and what was acknowledged is there', async () => {
  const report = newReport()
  await playOn(world, { surface, report, seed: SEED, requests: REQUESTS, limitMs: LIMIT_MS })
  console.log(report.lines(0).join('\n'))
  assert.ok(report.requests >= LEAST, `${report.requests} requests`)
  assert.deepEqual(
    [report.findings.size, report.failures, report.lost],
    [0, 0, 0],
    report.lines(0).join('\n'),
  )
})

const SEEN: Readonly<Record<Fault, RegExp>> = {
  failure: /the server failed with 500/,
  stack: /the body shows|shows a stack trace/,
  'half a body': /response-body: the body is not/,
  'no answer': /closed without an answer/,
  'let in': /a success for a caller with the token/,
  'lost user': /lost: GET \/v2\/users\/lost-/,
}

test('a service that answers wrongly now and then is found out', async () => {
  const proxy = await startFaultyProxy(world.port)
  const report = newReport()
  try {
    await playOn(
      { ...world, port: proxy.port },
      { surface, report, seed: SEED + 1, requests: FAULTY_REQUESTS, limitMs: LIMIT_MS / 2 },
    )
  } finally {
    await proxy.stop()
  }
  const found = [...report.findings.values()].map(({ sentence }) => sentence)
  assert.ok(proxy.played.size >= LEAST_FAULTS, [...proxy.played.keys()].join())
  for (const problem of FAULTS) {
    // Some wait for a request that a busy machine may not get to.
    if (proxy.played.has(problem))
      assert.ok(
        found.some((sentence) => SEEN[problem].test(sentence)),
        `${problem}:\n${found.join('\n')}`,
      )
  }
})
