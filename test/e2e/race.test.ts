// Two processes update one user with the same resourceVersion at the same time: exactly one wins,
// every time, on every storage.
import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 300)
const RACER = fileURLToPath(new URL('../support/racer.ts', import.meta.url))

for (const storage of storesFor('races')) {
  test(`${ROUNDS} races on ${storage.name}: one winner each`, async () => {
    const service = await startService({ config: { storage: await storage.section() } })
    const token = await service.token('participant_admin')
    await call(service.url, 'POST /v2/users', { token, body: { user: { id: 'prize' } } })
    const racers = [fork(RACER), fork(RACER)]
    try {
      for (let version = 0; version < ROUNDS; version += 1) {
        const shot = { url: service.url, token, id: 'prize', version: String(version) }
        const statuses = await Promise.all(racers.map((racer) => fire(racer, shot)))
        assert.deepEqual(statuses.toSorted(), [200, 409], `round ${version}`)
      }
      const user = await call(service.url, 'GET /v2/users/prize', { token })
      assert.match(user.text, new RegExp(`"resourceVersion":"${ROUNDS}"`))
    } finally {
      racers.forEach((racer) => racer.kill())
      await service.stop()
      await storage.release()
    }
  })
}

async function fire(racer: ChildProcess, shot: object): Promise<number> {
  const answered = once(racer, 'message')
  racer.send(shot)
  const [answer]: unknown[] = await answered
  assert.ok(
    typeof answer === 'object' &&
      answer !== null &&
      'status' in answer &&
      typeof answer.status === 'number',
  )
  return answer.status
}
