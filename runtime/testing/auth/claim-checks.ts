// Claims that are wrong under a signature that is right.
import { attack, ISSUER, pause } from './check.ts'
import type { Check } from './check.ts'
import { secondsFromNow } from './tokens.ts'

const NO_TIMES: readonly unknown[] = [
  '9999999999',
  '',
  null,
  true,
  [9_999_999_999],
  {},
  -1,
  Number.MAX_VALUE,
  2 ** 53 + 2,
]

export const claimChecks: readonly Check[] = [
  attack('a token that has ended', (kit) =>
    [-1, -60, -86_400 * 365].map((ahead) => kit.token({ exp: secondsFromNow(ahead) })),
  ),
  attack('a token that ends right now', (kit) => kit.token({ exp: secondsFromNow(0) })),
  attack('a token without an end', (kit) => kit.token({ exp: undefined })),
  attack('an end that is not a time', (kit) => NO_TIMES.map((exp) => kit.token({ exp }))),
  attack('a token that is not valid yet', (kit) =>
    [60, 86_400].map((ahead) => kit.token({ nbf: secondsFromNow(ahead) })),
  ),
  attack('a beginning that is not a time', (kit) => NO_TIMES.map((nbf) => kit.token({ nbf }))),
  {
    name: 'a token that was good ends when it says so, although it is remembered',
    run: async (kit) => {
      const token = kit.token({ exp: secondsFromNow(2) })
      await kit.accepts(token)
      await kit.accepts(token)
      await pause(2_100)
      await kit.refuses(token)
    },
  },
  attack('another audience, or none', (kit) => {
    const others = [
      undefined,
      null,
      '',
      [],
      'https://other.example/',
      ['https://other.example/'],
      7,
    ]
    return others.map((aud) => kit.token({ aud }))
  }),
  attack('an audience that is nearly ours', (kit) => {
    const ours = String(kit.claims()['aud'])
    const nearly = [
      ours.toUpperCase(),
      `${ours}x`,
      ours.slice(0, -1),
      ` ${ours}`,
      `${ours} `,
      `x ${ours}`,
      { 0: ours },
      [[ours]],
      [[ours], 7],
    ]
    return nearly.map((aud) => kit.token({ aud }))
  }),
  attack('the issuer in other letters', (kit) => {
    const others = [
      ISSUER.toUpperCase(),
      ISSUER.replace('https', 'HTTPS'),
      ISSUER.replace('realm', 'Realm'),
    ]
    return others.map((iss) => kit.token({ iss }))
  }),
  attack('the issuer with a slash, a query or a user', (kit) =>
    [
      `${ISSUER}/`,
      `${ISSUER}?`,
      `${ISSUER}#`,
      ISSUER.replace('https://', 'https://x@'),
      ISSUER.replace('https:', 'http:'),
      ` ${ISSUER}`,
      ISSUER.replace('.example', '.example:443'),
      ISSUER.replace('/realm', '/x/../realm'),
      ISSUER.replace('issuer.', 'issuer.example.'),
    ].map((iss) => kit.token({ iss })),
  ),
  attack('an issuer that only looks like ours', (kit) =>
    [
      ISSUER.replace('i', 'і'),
      ISSUER.replace('example', 'exаmple'),
      `${ISSUER}\u200b`,
      `${ISSUER}\0`,
      ISSUER.replace('s', 'ſ'),
    ].map((iss) => kit.token({ iss })),
  ),
  attack('no issuer, or one that is not text', (kit) =>
    [undefined, null, '', 7, [ISSUER], { 0: ISSUER }, true].map((iss) => kit.token({ iss })),
  ),
  attack('no subject, or one that is not text', (kit) =>
    [undefined, null, '', 7, ['alice'], { id: 'alice' }, true].map((sub) => kit.token({ sub })),
  ),
  attack('the names that JavaScript knows as issuers', (kit) =>
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((iss) => kit.token({ iss })),
  ),
]
