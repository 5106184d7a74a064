// The suite itself: every attack is noticed by it where a plugin falls for it, and needs no runner
// of any kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthAnswer, AuthService } from '../../runtime/index.ts'
import { authSuite } from '../../runtime/testing/index.ts'
import type { AuthSetup } from '../../runtime/testing/index.ts'

/** Names of the checks that a plugin passes, all run at once. */
async function passed(create: (setup: AuthSetup) => AuthService): Promise<readonly string[]> {
  const runs: Promise<readonly string[]>[] = []
  const take = (name: string, run: () => Promise<void>): void =>
    void runs.push(
      run().then(
        () => [name],
        () => [],
      ),
    )
  const { checks } = authSuite({
    test: take,
    create,
    features: { providers: true, partyTokens: true },
    fuzzRuns: 20,
  })
  assert.equal(runs.length, checks)
  return (await Promise.all(runs)).flat()
}

function claimsOf(token: string): { readonly [name: string]: unknown } {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return {}
  }
}

const user = (userId: string): AuthAnswer => ({
  kind: 'user',
  user: { userId, identityProviderId: '' },
})

test('a plugin that believes everything falls for every attack', async () => {
  const names = await passed(() => ({
    authenticate: (token) => user(String(claimsOf(token)['sub'] ?? 'alice')),
  }))
  assert.deepEqual(names, [
    'a good token names its user, again and again, and with its audience among a thousand',
    'tokens of parties: a token that the primary party signed names its user, with both kinds of keys',
  ])
})

test('a plugin that believes nothing fails wherever somebody must be let in', async () => {
  const names = await passed(() => ({ authenticate: () => ({ kind: 'not-mine' }) }))
  assert.deepEqual(names, [])
})

test('a plugin that throws fails every check', async () => {
  const names = await passed(() => ({ authenticate: () => Promise.reject(new Error('no good')) }))
  assert.deepEqual(names, [])
})

test('a plugin that writes the token into its reasons is found out', async () => {
  const names = await passed(() => ({
    authenticate: (token) => ({ kind: 'refused', reason: `no good: ${token}` }),
  }))
  assert.deepEqual(names, [])
})
