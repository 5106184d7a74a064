// Options of the plugin `jwt`. What is left out is as strict as the profile asks for.
import { z } from 'zod'

const ADDRESS_RANGE = /^[0-9a-fA-F.:]+\/\d{1,3}$/

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => !namesUser(url), 'must have no user and no password')

function namesUser(url: string): boolean {
  const { username, password } = URL.parse(url) ?? {}
  return `${username ?? ''}${password ?? ''}` !== ''
}

const issuer = z
  .strictObject({
    /** The issuer, compared letter by letter. */
    issuer: z.string().min(1).max(1_000),
    /** Address of its key set; or one of the next two. */
    jwksUrl: httpUrl.optional(),
    /** The key set itself, as an object or as JSON text. */
    jwks: z.union([z.string(), z.looseObject({ keys: z.array(z.unknown()) })]).optional(),
    /** A public key or a certificate, PEM. */
    publicKey: z.string().optional(),
    algorithms: z
      .array(z.enum(['RS256', 'ES256', 'EdDSA']))
      .min(1)
      .default(['RS256']),
    /** The required audience; of several, one. */
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
    /** The required word of the blank-separated `scope`. */
    scope: z.string().regex(/^\S+$/, 'must be one scope').optional(),
  })
  .refine(
    ({ jwksUrl, jwks, publicKey }) =>
      [jwksUrl, jwks, publicKey].filter((one) => one !== undefined).length === 1,
    'must have exactly one of jwksUrl, jwks and publicKey',
  )

const keys = z.strictObject({
  /** Milliseconds from the first look-up of the address to the last byte. */
  timeoutMs: z.int().min(10).max(60_000).default(5_000),
  maxBytes: z.int().min(1_000).max(10_000_000).default(262_144),
  /** Older sets are fetched again, while the old one is in use. */
  refreshMs: z.int().min(1_000).default(300_000),
  /** Older sets are not used any more. */
  maxAgeMs: z.int().min(1_000).default(600_000),
  /** Pause between fetches because of keys that the set does not have. */
  cooldownMs: z.int().min(0).default(30_000),
  /** Pause after a fetch that failed. */
  retryMs: z.int().min(0).default(5_000),
  /** Plain http; true in development when absent. */
  allowHttp: z.boolean().optional(),
  /** All addresses that are not public, or those of these ranges. */
  allowPrivateAddresses: z
    .union([
      z.boolean(),
      z.array(z.string().regex(ADDRESS_RANGE, 'must be a range such as 10.0.0.0/8')),
    ])
    .default(false),
})

export const options = z.strictObject({
  issuers: z.array(issuer).default([]),
  /** Tokens of the ledger's identity providers. */
  providers: z.boolean().default(true),
  /** Tokens that parties sign with their own keys. */
  partyTokens: z.boolean().default(true),
  /**
   * The scope that every token must contain, unless its issuer here says otherwise; party tokens
   * have none.
   */
  scope: z.string().regex(/^\S+$/, 'must be one scope').optional(),
  /** Seconds by which clocks may differ. */
  leewaySeconds: z.int().min(0).max(300).default(0),
  /** Refuse tokens without an end; true in production when absent. */
  requireExpiry: z.boolean().optional(),
  /** Number of verified tokens that are remembered. */
  cacheSize: z.int().min(2).max(1_000_000).default(10_000),
  keys: keys.default(keys.parse({})),
  /**
   * Tokens signed with a shared secret (HS256), for tests: development profile only, and loopback
   * unless `allowNonLoopback`.
   */
  unsafeHmac: z
    .strictObject({ secret: z.string().min(1), allowNonLoopback: z.boolean().default(false) })
    .optional(),
})

export type Options = z.output<typeof options>
export type IssuerOptions = Options['issuers'][number]
export type KeyOptions = Options['keys']
