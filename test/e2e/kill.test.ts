// kill -9 under a load of user writes: every acknowledged write is there after the restart. CI size
// 10 kills; KILLS=200 in full.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { call } from '../support/http.ts'
import { startService, type Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const KILLS = Number(process.env['KILLS'] ?? 10)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const WRITER = fileURLToPath(new URL('../support/user-writer.ts', import.meta.url))

test(`every acknowledged user survives ${KILLS} kills (SEED=${SEED})`, async () => {
  const folder = await tempDir()
  const acknowledged = new Set<string>()
  let killedInFlight = 0
  let token = ''
  for (let round = 0; round < KILLS; round += 1) {
    const service = await startService({ dataDir: folder.path })
    token ||= await service.token('participant_admin')
    await assertAllThere(service, token, acknowledged)
    const { ids, inFlight } = await writeUntilKilled(
      service,
      token,
      `round${round}`,
      (SEED * (round + 7)) % 250,
    )
    ids.forEach((id) => acknowledged.add(id))
    killedInFlight += inFlight > 0 ? 1 : 0
  }
  const last = await startService({ dataDir: folder.path })
  await assertAllThere(last, token, acknowledged)
  await last.stop()
  await folder.remove()
  console.log(
    `${acknowledged.size} acknowledged users, ${killedInFlight} of ${KILLS} kills landed on requests in flight`,
  )
  assert.ok(killedInFlight > KILLS / 2, 'most kills must land while writes are in flight')
})

/**
 * The kill comes `afterMs` after the first acknowledgement, while eight requests at a time are
 * under way.
 */
async function writeUntilKilled(
  service: Service,
  token: string,
  prefix: string,
  afterMs: number,
): Promise<{ ids: string[]; inFlight: number }> {
  const writer = spawn(process.execPath, [WRITER, service.url, token, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const output = createInterface({ input: writer.stdout })
  const ended = once(output, 'close')
  output.on('line', (line) => lines.push(line))
  await once(output, 'line')
  await sleep(afterMs)
  await service.kill()
  await ended
  const inFlight = Number(lines.at(-1)?.split(' ')[1] ?? 0)
  return { ids: lines.filter((line) => line.startsWith(prefix)), inFlight }
}

async function assertAllThere(
  service: Service,
  token: string,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const found = new Set<string>()
  for (let pageToken = ''; ;) {
    const page = await call(
      service.url,
      `GET /v2/users?pageToken=${encodeURIComponent(pageToken)}`,
      { token },
    )
    const body: {
      users: { id: string; metadata: { annotations: object } }[]
      nextPageToken: string
    } = JSON.parse(page.text)
    for (const user of body.users) {
      found.add(user.id)
      if (user.id.startsWith('round'))
        assert.equal(Object.keys(user.metadata.annotations).length, 1, 'no half user')
    }
    if (body.nextPageToken === '') break
    pageToken = body.nextPageToken
  }
  const lost = [...acknowledged].filter((id) => !found.has(id))
  assert.deepEqual(lost, [], 'acknowledged users that are gone')
}
