// Version and probes of the ledger interface. docs/ledger-rules.md, "Health and version" and
// "Versions and deprecation"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { Context } from '../reply.ts'
import { MAX_PARTIES_PAGE_SIZE } from '../../participant/identity/party-admin.ts'
import { MAX_USERS_PAGE_SIZE } from '../../participant/identity/user-admin.ts'

/** Participants and synchronizers in a page of what is vetted. */
export const MAX_VETTED_PACKAGES_PAGE_SIZE = 100
const MAX_CHECKPOINT_DELAY_S = 75n

interface HealthOptions {
  /** Resolves to undefined when the service can do its work, else to the reason in one line. */
  readonly notReady: () => Promise<string | undefined>
  /** Faults that do not keep the service from its work, a line each. */
  readonly notes: () => readonly string[]
  /**
   * The version that the interface's document states. docs/ledger-rules.md, "Versions and
   * deprecation"
   */
  readonly interfaceVersion: string
  readonly productVersion: string
  /** Rights that a user may have. */
  readonly maxRights: number
}

/** Handlers of the version and of the two probes. */
export function healthHandlers({
  notReady,
  notes,
  interfaceVersion,
  productVersion,
  maxRights,
}: HealthOptions) {
  return {
    getVersion: () => ({
      status: 200,
      body: versionBody(interfaceVersion, productVersion, maxRights),
    }),
    getLiveness: () => ({ status: 200 }),
    getReadiness: async () => {
      const reason = await notReady()
      return reason === undefined
        ? { status: 200, body: `[+] ledger ok (SERVING)\n${noted(notes())}readyz check passed\n` }
        : {
            status: 503,
            mediaType: 'text/plain',
            body: `[-] ledger failed (${reason})\nreadyz check failed\n`,
          }
    },
  } satisfies Partial<Handlers<Context>>
}

function noted(notes: readonly string[]): string {
  return notes.map((note) => `[!] ${note}\n`).join('')
}

function versionBody(version: string, implementationVersion: string, maxRightsPerUser: number) {
  return {
    version,
    implementationVersion,
    features: {
      experimental: {
        staticTime: { supported: false },
        commandInspectionService: { supported: false },
      },
      userManagement: { supported: true, maxRightsPerUser, maxUsersPageSize: MAX_USERS_PAGE_SIZE },
      partyManagement: { maxPartiesPageSize: MAX_PARTIES_PAGE_SIZE },
      offsetCheckpoint: {
        maxOffsetCheckpointEmissionDelay: {
          seconds: MAX_CHECKPOINT_DELAY_S,
          nanos: 0,
          unknownFields: { fields: {} },
        },
      },
      packageFeature: { maxVettedPackagesPageSize: MAX_VETTED_PACKAGES_PAGE_SIZE },
    },
  }
}
