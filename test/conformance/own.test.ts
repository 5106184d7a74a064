// The runner against our own service on SQLite with its users and coins, all four interfaces, as an
// operator who administers the ledger, too: nothing may be found. A small size here; `npm run
// full:conform` asks a hundred times as much.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { conform, presetDocuments, shown } from './kit.ts'

const RUNS = Number(process.env['RUNS'] ?? 2)
const EXTREMES = Number(process.env['EXTREMES'] ?? 12)
const SEED = Number(process.env['SEED'] ?? 1)
/** The preset whose names the service speaks; its own if absent. */
const PRESET = process.env['PRESET']

test(`the service keeps to its documents: seed ${SEED}${PRESET === undefined ? '' : `, ${PRESET}`}`, async () => {
  const [interfaces, service] = await Promise.all([
    presetDocuments(PRESET),
    startService({
      seeded: true,
      ...(PRESET === undefined ? {} : { config: { vocabulary: { preset: PRESET } } }),
    }),
  ])
  try {
    const token = await almighty(service)
    const report = await conform(interfaces, service.url, {
      token,
      seed: SEED,
      runs: RUNS,
      extremes: EXTREMES,
      parallel: 4,
    })
    assert.equal(report.violations.length, 0, shown(report, service.url))
    assert.deepEqual(
      report.operations
        .filter(({ requests }) => requests === 0)
        .map(({ operationId }) => operationId),
      [],
    )
  } finally {
    await service.stop()
  }
})

/**
 * The operator's token, whose user administers the ledger from now on: nothing is refused for want
 * of a right.
 */
async function almighty(service: Service): Promise<string> {
  const rights = [
    { kind: { ParticipantAdmin: { value: {} } } },
    { kind: { IdentityProviderAdmin: { value: {} } } },
  ]
  const body = { userId: 'operator', identityProviderId: '', rights }
  const granted = await call(service.url, 'POST /v2/users/operator/rights', {
    token: await service.token('participant_admin'),
    body,
  })
  assert.equal(granted.status, 200, granted.text)
  return service.token('operator')
}
