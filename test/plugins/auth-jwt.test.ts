// The plugin `jwt` under the suite that every auth plugin for tokens runs. MUTATIONS sets how many
// changed tokens are tried.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import authJwt from '../../plugins/auth-jwt/index.ts'
import { options } from '../../plugins/auth-jwt/options.ts'
import { authSuite } from '../../runtime/testing/index.ts'

const report = authSuite({
  test,
  create: ({ issuer, jwksUrl, audience, keys, allowPrivateAddresses, context }) =>
    authJwt.setup(
      context,
      options.parse({
        issuers: [{ issuer, jwksUrl, audience }],
        keys: { ...keys, retryMs: keys.cooldownMs, allowPrivateAddresses, allowHttp: true },
      }),
    ),
  features: { providers: true, partyTokens: true },
  fuzzRuns: Number(process.env['MUTATIONS'] ?? 5_000),
})

test('the suite has more than 40 attacks and skips none', () => {
  assert.ok(report.checks > 80, `${report.checks}`)
  assert.deepEqual(report.skipped, [])
})
