// What it costs a request to know who calls: the same GET with a token that was seen before, beside
// the same GET without auth. Only ratios of CPU time within one turn count, as in bench/http.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from '../codegen/index.ts'
import { KeyServer } from '../runtime/testing/auth/key-server.ts'
import { jwkOf, makeToken, rs256, rsaKey, secondsFromNow } from '../runtime/testing/auth/tokens.ts'
import { authOf } from './http-product.ts'
import { costsInTurns, type Subject } from './in-turns.ts'
import { aimLine, machineLine, median, spread } from './measure.ts'
import { isPinned, startNode } from './pinned.ts'

const AIM = 0.85
const REFERENCE = 'off'
const { values } = parseArgs({
  options: {
    reps: { type: 'string', default: '3' },
    turns: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '2' },
    variants: { type: 'string', default: 'off;jwt;open;jwt without memory' },
  },
})
const [repetitions, turns, seconds] = [
  Number(values.reps),
  Number(values.turns),
  Number(values.seconds),
]
const variants = values.variants.split(';')
const dir = mkdtempSync(join(tmpdir(), 'bench-auth-'))
const keyServer = new KeyServer()
const key = rsaKey('bench')

/** A token as long as such tokens are in practice. */
const jwt = makeToken(
  { alg: 'RS256', typ: 'JWT', kid: key.kid },
  {
    iss: 'https://issuer.example',
    sub: 'alice',
    aud: ['us', 'https://other.example/'],
    exp: secondsFromNow(86_400),
    iat: secondsFromNow(-60),
    jti: 'c7a1f3f0-7f0e-4a0b-9a55-1f9f0d1f2c3d',
    azp: 'client',
    scope: 'openid profile',
    sid: '0b9d1d7e-5b1c-4c67-8f2b-6a0a5f1e2d3c',
  },
  rs256(key),
)

async function start(name: string): Promise<Subject> {
  return {
    server: startNode(0, ['auth-server.ts', name, dir, keyServer.url], 'ignore'),
    token: name === 'open' ? await openToken() : jwt,
  }
}

async function openToken(): Promise<string> {
  return (await (await authOf(dir)).issue?.('alice')) ?? ''
}

async function run(): Promise<void> {
  console.log(
    `${repetitions} repetitions of ${turns} turns of ${seconds} s, ${isPinned ? 'pinned' : 'not pinned'}, ${machineLine()}`,
  )
  const micros = await costsInTurns({ variants, repetitions, turns, seconds, kind: 'get', start })
  const reference = micros.get(REFERENCE) ?? []
  for (const [name, own] of micros) {
    const ratios = own.map((cost, at) => (reference[at] ?? Number.NaN) / cost)
    console.log(
      `  ${name.padEnd(20)} ${spread(own, 1)} us of CPU a request, throughput of "${REFERENCE}" ${spread(ratios, 2)}`,
    )
    if (name === 'jwt')
      console.log(
        aimLine('a token seen before, against no auth', median(ratios), 'at least', AIM, 'x'),
      )
  }
  console.log(machineLine())
}

try {
  keyServer.serve(jwkOf(key))
  await keyServer.start()
  const { status } = await generate({
    root: import.meta.dirname,
    config: { interfaces: [{ spec: 'fixtures/bench.yaml' }], out: dir },
  })
  if (status !== 'written') throw new Error('the fixture could not be generated')
  await run()
} finally {
  await keyServer.stop()
  rmSync(dir, { recursive: true, force: true })
}
