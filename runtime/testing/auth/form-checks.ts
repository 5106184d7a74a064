// Tokens that are no tokens, or that two readers could read differently.
import { attack } from './check.ts'
import type { Check } from './check.ts'
import { encode, makeToken, rs256 } from './tokens.ts'

export const formChecks: readonly Check[] = [
  attack('a claim twice', (kit) => {
    const text = JSON.stringify(kit.claims()).slice(1)
    const header = { alg: 'RS256', kid: kit.mainKey.kid }
    const doubled = [
      '"sub":"admin",',
      '"iss":"https://other.example",',
      '"aud":"x",',
      '"exp":9999999999,',
      '"s\\u0075b":"admin",',
    ]
    return doubled.map((first) => makeToken(header, `{${first}${text}`, rs256(kit.mainKey)))
  }),
  attack('a member of the header twice', (kit) =>
    ['"alg":"none",', '"kid":"other",', '"alg":"RS256",'].map((first) =>
      makeToken(
        `{${first}"alg":"RS256","kid":"${kit.mainKey.kid}"}`,
        kit.claims(),
        rs256(kit.mainKey),
      ),
    ),
  ),
  attack('an extension that must be understood', (kit) => [
    kit.token({}, { crit: ['exp'] }),
    kit.token({}, { crit: ['x'], x: 1 }),
    kit.token({}, { crit: [] }),
    kit.token({}, { crit: 'b64' }),
  ]),
  attack('claims that are not encoded (b64)', (kit) => [
    kit.token({}, { b64: false, crit: ['b64'] }),
    `${encode({ alg: 'RS256', b64: false, crit: ['b64'], kid: kit.mainKey.kid })}.{"sub":"admin"}.AAAA`,
  ]),
  attack('another type of token', (kit) =>
    ['dpop+jwt', 'logout+jwt', 'JWE', 'secevent+jwt', 7].map((typ) => kit.token({}, { typ })),
  ),
  attack('a token as long as a book', (kit) => [
    kit.token({ pad: 'x'.repeat(48_000) }),
    kit.token({ pad: 'x'.repeat(1_000_000) }),
    'x'.repeat(1_000_000),
    `${kit.token()}${' '.repeat(70_000)}`,
  ]),
  attack('ten thousand dots', () => ['.'.repeat(10_000), 'a.'.repeat(5_000)]),
  attack('too few or too many parts', (kit) => [
    '',
    '.',
    '..',
    '...',
    'a',
    'a.b',
    `${kit.token()}.`,
    `.${kit.token()}`,
    `${kit.token()}.AAAA`,
  ]),
  attack('blanks, line ends and other signs in between', (kit) => {
    const token = kit.token()
    const middle = token.indexOf('.') + 9
    return [' ', '\n', '\r\n', '\t', '\0', '=', '%', 'é', '\u200b'].flatMap((sign) => [
      sign + token,
      token + sign,
      token.slice(0, middle) + sign + token.slice(middle),
    ])
  }),
  attack('the JSON form of a signed token', (kit) => {
    const [header, payload, signature] = kit.token().split('.')
    const signatures = [{ protected: header, signature }]
    return [
      { protected: header, payload, signature },
      { payload, signatures },
    ].map((form) => JSON.stringify(form))
  }),
  attack('claims that are not an object, or not JSON', (kit) => {
    const others = ['[]', 'null', '7', '"alice"', '', '{', '{}{}', '{"sub":"alice",}']
    return others.map((claims) =>
      makeToken({ alg: 'RS256', kid: kit.mainKey.kid }, claims, rs256(kit.mainKey)),
    )
  }),
  attack('a header that is not an object, or not JSON', (kit) =>
    ['[]', 'null', '7', '"RS256"', '', '{'].map((header) =>
      makeToken(header, kit.claims(), rs256(kit.mainKey)),
    ),
  ),
  attack('bytes that are not UTF-8, or start with a mark', (kit) => {
    const text = Buffer.from(JSON.stringify(kit.claims()))
    const broken = Buffer.concat([
      text.subarray(0, -1),
      Buffer.from(',"x":"'),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}'),
    ])
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text])
    return [broken, marked].map((bytes) => {
      const signed = `${encode({ alg: 'RS256', kid: kit.mainKey.kid })}.${bytes.toString('base64url')}`
      return `${signed}.${rs256(kit.mainKey)(signed)}`
    })
  }),
  attack('claims nested very deep', (kit) => {
    const text = `${JSON.stringify(kit.claims()).slice(0, -1)},"x":${'['.repeat(4_000)}${']'.repeat(4_000)}}`
    return makeToken({ alg: 'RS256', kid: kit.mainKey.kid }, text, rs256(kit.mainKey))
  }),
  attack('members called __proto__ that would stand for others', (kit) => {
    const { sub: _, exp: __, ...rest } = kit.claims()
    const text = `${JSON.stringify(rest).slice(0, -1)},"__proto__":{"sub":"admin","exp":9999999999}}`
    const header = `{"__proto__":{"alg":"RS256"},"kid":"${kit.mainKey.kid}"}`
    const signer = rs256(kit.mainKey)
    return [
      makeToken({ alg: 'RS256', kid: kit.mainKey.kid }, text, signer),
      makeToken(header, kit.claims(), signer),
    ]
  }),
]
