// The sections `network` and `validator` of the configuration: names, prices, periods and limits,
// parsed here once. They are initial values: afterwards, prices and fees come from the network's
// rules, which votes change. docs/economy-rules.md, "Genesis"
import { z } from 'zod'
import { parseDecimal } from '../../engine/decimal.ts'
import { LONGEST_TERM_MICROS, SECOND_MICROS } from '../../engine/durations.ts'

const LONGEST_TERM = Number(LONGEST_TERM_MICROS / SECOND_MICROS)
const seconds = (value: number) => z.int().min(1).max(LONGEST_TERM).default(value)

/** Decimal text in the file, bigint inside. */
function readDecimal(text: string, context: z.RefinementCtx): bigint {
  const parsed = parseDecimal(text)
  if (parsed !== undefined && parsed >= 0n) return parsed
  context.addIssue('must be decimal text such as "0.005", not negative')
  return z.NEVER
}

const decimal = (value: string) => z.string().default(value).transform(readDecimal)

/** 5 %. */
const DEVELOPMENT_FUND = 500_000_000n

const text = (value: string) => z.string().min(1).max(1_000).default(value)

export const networkSection = z.strictObject({
  /**
   * Tap, self-granted featured rights and the governance command work on a development network
   * only.
   */
  isDevNet: z.boolean().optional(),
  networkName: text('Network'),
  networkFaviconUrl: text('https://network.example.org/favicon.ico'),
  /** The address under which others reach scan, told to those who ask for scans. */
  scanUrl: text('http://127.0.0.1:8080'),
  coinName: text('Coin'),
  coinNameAcronym: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'must have three letters')
    .default('CCN'),
  nameServiceName: text('Network Name Service'),
  nameServiceNameAcronym: text('NNS'),
  migrationId: z.int().min(0).default(0),
  initialRound: z.int().min(0).default(0),
  tickSeconds: seconds(600),
  /** USD per CC of the first rounds. */
  conversionRate: decimal('0.005'),
  holdingFeeUsd: decimal('0.0000190259'),
  extraFeaturedAppRewardAmount: decimal('1.0'),
  transferPreapprovalFeeUsdPerDay: decimal('0.00274'),
  transferPreapprovalBaseSeconds: seconds(7_776_000),
  tokenStandardMaxTtlSeconds: seconds(7_776_000),
  /** Share of a legacy transfer that its sender's validator coupon has. */
  legacyTransferRewardRate: decimal('0'),
  /** Share of each round's issuance; 0.05 on a development network, else 0. */
  developmentFundPercentage: z.string().transform(readDecimal).optional(),
  traffic: z
    .strictObject({
      extraTrafficPriceUsdPerMb: decimal('16.67'),
      minTopupBytes: z.int().min(1).default(200_000),
      baseBurstBytes: z.int().min(0).default(400_000),
      baseWindowSeconds: seconds(1_200),
      /** Seconds between a purchase and its effect on the limit. */
      applySeconds: z.int().min(0).default(10),
    })
    .prefault({}),
  /** Hours between snapshots of the active contracts. */
  snapshotPeriodHours: z.int().min(1).max(24).default(3),
  svName: text('sv-1'),
  voteRequestTimeoutSeconds: seconds(604_800),
  ans: z
    .strictObject({
      renewalSeconds: seconds(2_592_000),
      entryLifetimeSeconds: seconds(7_776_000),
      entryFeeUsd: decimal('1.0'),
    })
    .prefault({}),
})

export const validatorSection = z.strictObject({
  /** The user to whom the operator's party belongs. */
  validatorWalletUser: z.string().min(1).max(128).default('operator'),
  treasury: z
    .strictObject({
      /** Operations that wait for one party's coins; beyond it callers get 429. */
      queueSize: z.int().min(1).default(1_000),
      batchSize: z.int().min(1).max(50).default(10),
      /**
       * Where servers share a store: how soon another one pays from the coins of parties whose
       * server has died.
       */
      leaseMs: z.int().min(100).max(600_000).default(3_000),
      /** Milliseconds for which a server pays from a party's coins while others wait to. */
      sliceMs: z.int().min(10).max(60_000).default(200),
    })
    .prefault({}),
  transferPreapproval: z
    .strictObject({
      preapprovalLifetimeSeconds: seconds(7_776_000),
    })
    .prefault({}),
  /** Whether each onboarded user proposes a merge delegation. docs/economy-rules.md, "Merging" */
  proposeMergeDelegation: z.boolean().default(false),
  /** Whether scan-proxy operations need a token. */
  scanProxyToken: z.boolean().default(false),
  /** Bytes of JSON of a wallet's list that is asked for without pages. */
  maxListBytes: z.int().min(65_536).max(268_435_456).default(8_388_608),
  /** Milliseconds between looks of the automations for work. */
  pollMs: z.int().min(10).default(1_000),
})

export type NetworkSettings = z.output<typeof networkSection>
export type ValidatorSettings = z.output<typeof validatorSection>

/** Settings with the values that depend on the profile. */
export interface ResolvedNetworkSettings extends NetworkSettings {
  readonly isDevNet: boolean
  readonly developmentFundPercentage: bigint
}

/** Settings with defaults of the profile: the development profile runs a development network. */
export function resolveNetworkSettings(
  network: NetworkSettings,
  profile: 'dev' | 'production',
): ResolvedNetworkSettings {
  const isDevNet = network.isDevNet ?? profile === 'dev'
  return {
    ...network,
    isDevNet,
    developmentFundPercentage:
      network.developmentFundPercentage ?? (isDevNet ? DEVELOPMENT_FUND : 0n),
  }
}
