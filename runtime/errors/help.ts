// Where the documentation explains an error: sent in the development profile, so that a caller
// knows what to read. The texts of errors stay those of the interface.
import type { ErrorCode } from './catalogue.ts'

const TOKENS = 'authentication#what-is-checked'
const COMMANDS = 'idempotency#commands-on-the-ledger-interface'
const LIMITS = 'security#limits'
const HOSTS = 'security#hosts-and-origins'
const DISK = 'operations#a-full-disk'
const KEPT = 'operations#what-a-server-keeps'
const KEYS = 'external-parties#topology-who-the-party-is'

/** Page and heading below `/docs/`. */
const PAGES: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: TOKENS,
  INVALID_TOKEN: TOKENS,
  ACCESS_TOKEN_EXPIRED: TOKENS,
  STALE_STREAM_AUTHORIZATION: 'authentication#when-changes-take-effect',
  PERMISSION_DENIED: 'authority#rights',
  USER_NOT_FOUND: 'authority#principals',
  PARTY_NOT_FOUND: 'authority#parties',
  NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT: 'authority#parties',
  DUPLICATE_COMMAND: COMMANDS,
  SUBMISSION_ALREADY_IN_FLIGHT: COMMANDS,
  REQUEST_ALREADY_IN_FLIGHT: COMMANDS,
  INVALID_DEDUPLICATION_PERIOD: COMMANDS,
  MAX_RECORD_TIME_EXCEEDED: COMMANDS,
  FOREIGN_REQUEST: HOSTS,
  BODY_TOO_LARGE: LIMITS,
  BODY_TOO_SLOW: LIMITS,
  MAXIMUM_NUMBER_OF_STREAMS: LIMITS,
  MAXIMUM_BYTES_OF_BODIES: LIMITS,
  MAXIMUM_BYTES_OF_BODIES_OF_ADDRESS: LIMITS,
  MAXIMUM_BYTES_OF_ANSWERS: LIMITS,
  MAXIMUM_BYTES_OF_ANSWERS_OF_CALLER: LIMITS,
  JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED: LIMITS,
  JSON_API_MAXIMUM_LIST_SIZE_REACHED: LIMITS,
  TRANSACTION_TOO_LARGE: LIMITS,
  STORAGE_FULL: DISK,
  PARTICIPANT_PRUNED_DATA_ACCESSED: KEPT,
  NOT_ENOUGH_TRAFFIC_CREDIT: 'automations#topup',
  PARTY_SIGNING_KEYS_NOT_FOUND: KEYS,
  TOPOLOGY_SERIAL_MISMATCH: KEYS,
  INTERPRETATION_USER_ERROR: 'contracts',
}

/** `/docs/PAGE.html#HEADING`; undefined where no page is about the error. */
export function helpPage(code: ErrorCode): string | undefined {
  const [page, heading] = PAGES[code]?.split('#') ?? []
  if (page === undefined) return undefined
  return `/docs/${page}.html${heading === undefined ? '' : `#${heading}`}`
}
