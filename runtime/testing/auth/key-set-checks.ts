// Key sets: rotated, out of reach, and served by somebody who means harm.
import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { attack, pause } from './check.ts'
import type { Check, Kit } from './check.ts'
import { hs256, jwkOf, rs256, rsaKey } from './tokens.ts'

const STRANGE_KIDS = [
  '../../etc/passwd',
  '/dev/null',
  "' OR 1=1 --",
  'main\0',
  'main ',
  'MAIN',
  '',
  '__proto__',
  'constructor',
  'length',
  '0',
  'k'.repeat(10_000),
  'https://attacker.example/keys',
  '*',
  '$ne',
  'main\nmain',
]

/** Key sets from which no token may be believed, by what is wrong with them. */
const badSets: Readonly<Record<string, (kit: Kit) => void>> = {
  'answers 500 with good keys': (kit) => kit.keyServer.serveText(goodSet(kit), 500),
  'answers with a page': (kit) =>
    kit.keyServer.serveText('<html><body>Sign in</body></html>', 200, 'text/html'),
  'answers with something else than a key set': (kit) =>
    kit.keyServer.serveText(JSON.stringify([jwkOf(kit.mainKey)])),
  'never answers': (kit) => kit.keyServer.answer(() => {}),
  'answers a byte at a time, without an end': (kit) =>
    kit.keyServer.answer((_, response) => {
      const timer = setInterval(() => response.write(' '), 20)
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .once('close', () => clearInterval(timer))
    }),
  'answers with far too much': (kit) =>
    kit.keyServer.serveText(`{"pad":"${'x'.repeat(4_000_000)}",${goodSet(kit).slice(1)}`),
  'has a key of 1024 bits': (kit) =>
    kit.keyServer.serve({ ...jwkOf(rsaKey('short', 1_024)), kid: kit.mainKey.kid }),
  'has the key for encryption only': (kit) =>
    kit.keyServer.serve({ ...jwkOf(kit.mainKey), use: 'enc' }),
  'has the key for another algorithm only': (kit) =>
    kit.keyServer.serve({ ...jwkOf(kit.mainKey), alg: 'RS512' }),
  'has the name twice, with different keys': (kit) =>
    kit.keyServer.serve({ ...jwkOf(rsaKey('second')), kid: kit.mainKey.kid }, jwkOf(kit.mainKey)),
}

export const keySetChecks: readonly Check[] = [
  attack('names of keys that are paths, commands or very long', (kit) =>
    STRANGE_KIDS.map((kid) => kit.token({}, { kid }, rs256(rsaKey('attacker')))),
  ),
  attack('names of keys that are not texts', (kit) =>
    [7, null, ['main'], { main: 1 }, true].map((kid) => kit.token({}, { kid })),
  ),
  attack('a key that the set does not have', (kit) =>
    kit.token({}, { kid: 'attacker' }, rs256(rsaKey('attacker'))),
  ),
  ...Object.entries(badSets).map(([what, prepare]): Check => ({
    name: `a key server that ${what}`,
    run: async (kit) => {
      prepare(kit)
      for (const jti of ['first', 'second'])
        await kit.refuses(kit.token({ jti }, {}, signerFor(what, kit)))
      kit.keyServer.serve(jwkOf(kit.mainKey))
      await kit.acceptsSoon(() => kit.token())
    },
  })),
  {
    name: 'a key server that sends elsewhere: nobody goes there',
    run: async (kit) => {
      kit.keyServer.answer(({ url }, response) => {
        if (url === '/keys') response.writeHead(302, { location: '/elsewhere' }).end()
        else response.writeHead(200, { 'content-type': 'application/json' }).end(goodSet(kit))
      })
      await kit.refuses(kit.token())
      assert.ok(!kit.keyServer.asked.includes('/elsewhere'))
      kit.keyServer.serve(jwkOf(kit.mainKey))
      await kit.acceptsSoon(() => kit.token())
    },
  },
  {
    name: 'a key server that is down: refused, and accepted once it is up',
    run: async (kit) => {
      await kit.keyServer.stop()
      await kit.refuses(kit.token())
      await kit.keyServer.start()
      await kit.acceptsSoon(() => kit.token())
    },
  },
  {
    name: 'a key server that goes down: keys that are known stay in use',
    run: async (kit) => {
      await kit.accepts(kit.token())
      await kit.keyServer.stop()
      await kit.accepts(kit.token({ jti: 'another' }))
      await kit.refuses(kit.token({}, { kid: 'unknown' }, rs256(rsaKey('second'))))
      await kit.accepts(kit.token({ jti: 'a third' }))
    },
  },
  {
    name: 'a rotated key: the new one counts soon, the old one no more, also for tokens that were accepted',
    run: async (kit) => {
      const [second, early] = [rsaKey('second'), kit.token()]
      const late = (): string => kit.token({}, { kid: second.kid }, rs256(second))
      await kit.accepts(early)
      await kit.refuses(late())
      kit.keyServer.serve(jwkOf(second))
      await kit.acceptsSoon(late)
      await kit.refusesSoon(early)
      await kit.refuses(kit.token({ jti: 'fresh' }))
    },
  },
  {
    name: 'many tokens with names of keys that nobody has: few questions',
    run: async (kit) => {
      await kit.accepts(kit.token())
      const [before, startMs] = [kit.keyServer.asked.length, performance.now()]
      const signer = rs256(rsaKey('attacker'))
      for (let batch = 0; batch < 10; batch += 1) {
        await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            kit.refuses(kit.token({}, { kid: `k${batch}-${at}` }, signer)),
          ),
        )
      }
      const allowed = Math.ceil((performance.now() - startMs) / kit.limits.cooldownMs) + 1
      const asked = kit.keyServer.asked.length - before
      assert.ok(asked <= allowed, `${asked} questions, at most ${allowed} allowed`)
    },
  },
  {
    name: 'many first tokens at once: one question',
    run: async (kit) => {
      await Promise.all(
        Array.from({ length: 30 }, (_, at) => kit.accepts(kit.token({ jti: `${at}` }))),
      )
      assert.equal(kit.keyServer.asked.length, 1)
    },
  },
  {
    name: 'a symmetric key in the set: no secret is public',
    run: async (kit) => {
      const secret = Buffer.alloc(32, 7)
      kit.keyServer.serve(jwkOf(kit.mainKey), {
        ...createSecretKey(secret).export({ format: 'jwk' }),
        kid: 'oct',
      })
      await kit.accepts(kit.token())
      await kit.refuses(kit.token({}, { alg: 'HS256', kid: 'oct' }, hs256(secret)))
    },
  },
  {
    name: 'a token that names no key, where there are several',
    run: async (kit) => {
      kit.keyServer.serve(jwkOf(kit.mainKey), jwkOf(rsaKey('second')))
      await kit.accepts(kit.token())
      await kit.refuses(kit.token({}, { kid: undefined }))
    },
  },
  {
    name: 'a key server on loopback, where that is not allowed: never asked',
    run: async (kit) => {
      const careful = await kit.another(false)
      await kit.refuses(kit.token(), careful)
      await pause(50)
      await kit.refuses(kit.token({ jti: 'again' }), careful)
      assert.deepEqual(kit.keyServer.asked, [])
      await kit.accepts(kit.token())
    },
  },
]

function goodSet({ mainKey }: Kit): string {
  return JSON.stringify({ keys: [jwkOf(mainKey)] })
}

/** Tokens are signed by the key that the set claims to have. */
function signerFor(what: string, kit: Kit) {
  return rs256(what.includes('1024') ? rsaKey('short', 1_024) : kit.mainKey)
}
