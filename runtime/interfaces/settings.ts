// The sections of the configuration that services read: parsed here once, trusted within.
import { z } from 'zod'
import { names } from '../../generated/wire-names.gen.ts'
import type { ConfigProblem } from '../host/problem.ts'
import { MAX_RIGHTS_PER_USER } from '../access/rights.ts'
import { networkSection, validatorSection } from '../economy/network/settings.ts'
import type { NetworkSettings, ValidatorSettings } from '../economy/network/settings.ts'
import { quotasSection } from '../economy/quotas/settings.ts'
import type { QuotaSettings } from '../economy/quotas/settings.ts'

const ledgerSection = z.strictObject({
  /** Name of this node in errors and tokens; the grammar of a party id. */
  participantId: z
    .string()
    .regex(/^[A-Za-z0-9:\-_ ]{1,255}$/, 'must be 1 to 255 of A-Z a-z 0-9 : - _ and blank')
    .default('participant'),
  /** The version of the interface that clients are told; that of its document when absent. */
  reportedVersion: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[A-Za-z0-9.-]+)?$/, 'must be a version such as 3.5.1')
    .optional(),
  /** Versions of our contracts' packages that clients are told, by name; the true ones else. */
  reportedPackageVersions: z
    .record(z.string(), z.string().regex(/^\d+(\.\d+)*$/, 'must be a version such as 0.1.11'))
    .optional(),
  synchronizerAlias: z
    .string()
    .regex(/^[A-Za-z0-9\-_]{1,185}$/)
    .default('global'),
  /** A logical id, or a name to which a namespace is added. */
  synchronizerId: z
    .string()
    .regex(/^[A-Za-z0-9\-_]{1,185}(::[A-Za-z0-9\-_]{1,68})?$/)
    .default('global-domain'),
  /**
   * How many parties a user who administers nothing may allocate for itself. docs/configuration.md
   */
  maxSelfAllocatedParties: z.int().min(0).default(0),
  maxRightsPerUser: z.int().min(10).default(MAX_RIGHTS_PER_USER),
  /**
   * Names of the language's own libraries, which a DAR may carry along without use; `<name>-<more>`
   * is one too.
   */
  basicLibraries: z.array(z.string().min(1)).default([]),
  /** Ids of packages that never change, likewise. */
  stablePackageIds: z.array(z.string().regex(/^[0-9a-f]{64}$/)).default([]),
  /**
   * How many elements a list of contracts, updates or completions has at most.
   * docs/configuration.md
   */
  maxListElements: z.int().min(1).default(200),
  /** Bytes of JSON of such a list. */
  maxListBytes: z.int().min(65_536).max(268_435_456).default(8_388_608),
  maxUploadBytes: z.int().min(1).default(268_435_456),
  /** Nodes of a transaction that a caller's commands make. */
  maxTransactionNodes: z.int().min(1).max(10_000).default(500),
  /** Bytes of such a transaction as it is stored. */
  maxTransactionBytes: z.int().min(65_536).max(67_108_864).default(4_194_304),
  /** What one transaction may use of the code of uploaded packages. docs/configuration.md */
  evaluation: z
    .strictObject({
      steps: z.int().min(1_000).max(1_000_000_000).default(10_000_000),
      /** Of about 16 bytes, used altogether. */
      cells: z.int().min(1_000).max(1_000_000_000).default(20_000_000),
      /** Calls within each other. */
      depth: z.int().min(100).max(10_000_000).default(100_000),
    })
    .prefault({}),
  /** How far the clocks of servers and store may be apart before that means anything. */
  maxClockSkewMs: z.int().min(2_000).max(86_400_000).default(10_000),
  /** Adds up anew, in each server and all the time, what the totals say. */
  audit: z
    .strictObject({
      /** Milliseconds between two looks; 0 switches it off. */
      everyMs: z.int().min(0).default(1_000),
      /** Contracts that a look reads at most. */
      page: z.int().min(1).max(10_000).default(200),
      /** Milliseconds between the end of one pass and the next. */
      restMs: z.int().min(0).default(60_000),
    })
    .prefault({}),
  /**
   * Milliseconds for which a step of this machine's clock that nobody confirms is at most in doubt.
   */
  maxClockDoubtMs: z.int().min(60_000).max(31_536_000_000).default(3_600_000),
  /** A web server whose date is believed where this machine's clock is in doubt. */
  timeSource: z.url({ protocol: /^https?$/ }).optional(),
  /** Somebody vouches for this machine's clock at the start, whatever the ledger's time is. */
  acceptClock: z.boolean().default(false),
})

const sections = z.object({
  ledger: ledgerSection,
  network: networkSection,
  validator: validatorSection,
  quotas: quotasSection.prefault({}),
  wireNames: z.partialRecord(z.enum(Object.keys(names)), z.string().min(1)),
})

export interface ServiceSettings extends z.output<typeof ledgerSection> {
  readonly webSocketTokenPrefix: string
  readonly webSocketSubprotocol: string
  readonly packageHashHeader: string
  readonly darManifestFormat: string
  readonly metadataKeyPrefix: string
  readonly coinMetadataKeyPrefix: string
  readonly instrumentId: string
  readonly network: NetworkSettings
  readonly validator: ValidatorSettings
  readonly quotas: QuotaSettings
}

export interface SettingsSections {
  readonly ledger: unknown
  readonly network: unknown
  readonly validator: unknown
  /** Absent: the defaults. */
  readonly quotas?: unknown
  readonly wireNames: unknown
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: ServiceSettings }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/** The settings, or everything that is wrong with the sections. */
export function readServiceSettings(given: SettingsSections): SettingsResult {
  const read = sections.safeParse(given)
  if (!read.success)
    return {
      ok: false,
      problems: read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
    }
  const { ledger, wireNames, ...others } = read.data
  const nameOf = (name: keyof typeof names): string => wireNames[name] ?? names[name].default
  return {
    ok: true,
    settings: {
      ...ledger,
      ...others,
      webSocketTokenPrefix: nameOf('webSocketTokenPrefix'),
      webSocketSubprotocol: nameOf('webSocketSubprotocol'),
      packageHashHeader: nameOf('packageHashHeader'),
      darManifestFormat: nameOf('darManifestFormat'),
      metadataKeyPrefix: nameOf('metadataKeyPrefix'),
      coinMetadataKeyPrefix: nameOf('coinMetadataKeyPrefix'),
      instrumentId: nameOf('instrumentId'),
    },
  }
}
