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
const STORE = process.env['STORE'] ?? 'sqlite'
const REQUESTS = 320
/** Rounds of requests at the faulty service, until all is found. */
const ROUNDS = 20
const ROUND_REQUESTS = 100
const UNFINISHED_MS = 500

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
  const options = { surface, report, seed: SEED, unfinishedMs: UNFINISHED_MS }
  await playOn(world, { ...options, requests: REQUESTS })
  console.log(report.lines(0).join('\n'))
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
  'no answer': /no answer came/,
  'let in': /a success for a caller with the token/,
  'lost user': /lost: GET \/v2\/users\/lost-/,
}

test('a service that answers wrongly now and then is found out', async () => {
  const proxy = await startFaultyProxy(world.port)
  const report = newReport()
  // The proxy leads to one process.
  const spoiled = { ...world, port: proxy.port, storage: { ...world.storage, durable: false } }
  // One fault shows where users are created, the others at any of these.
  const few = surface.filter(({ name }) => /^ledger \w*Users?$/.test(name))
  const options = { surface: few, report, requests: ROUND_REQUESTS, unfinishedMs: UNFINISHED_MS }
  const sentences = (): readonly string[] =>
    [...report.findings.values()].map(({ sentence }) => sentence)
  const missing = (): readonly Fault[] =>
    FAULTS.filter((fault) => !sentences().some((sentence) => SEEN[fault].test(sentence)))
  try {
    for (let round = 1; round <= ROUNDS && missing().length > 0; round += 1)
      await playOn(spoiled, { ...options, seed: SEED + round })
  } finally {
    await proxy.stop()
  }
  assert.deepEqual(missing(), [], `${[...proxy.played.keys()].join()}:\n${sentences().join('\n')}`)
})
