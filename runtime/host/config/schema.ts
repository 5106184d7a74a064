// The sections of the configuration that the house itself reads. A plugin's own options are checked
// by the plugin.
import { z } from 'zod'
import { LIMITS } from '../../work/limits.ts'
import { isHost } from '../own-hosts.ts'

const use = z.string().min(1)
const MAX_TIMER_MS = 2_147_483_647
/** Checks and services call themselves for each level of a value. */
const MAX_DEPTH = 400
/** The cost of a number grows with the square of its length. */
const MAX_NUMBER_LENGTH = 1_000
/** Names of the interfaces; each has a document of this name. */
export const INTERFACES = ['ledger', 'validator', 'scan', 'registry']
const milliseconds = z.int().min(0).max(MAX_TIMER_MS)

/** Names under which the server is reached, beside its own addresses. */
const hosts = z.array(
  z.string().refine(isHost, 'expected a name or an address, with a port or without'),
)

const server = z
  .strictObject({
    host: z.string().min(1),
    port: z.int().min(0).max(65_535),
    /** Ports of the same host where it answers, too. */
    alsoPorts: z.array(z.int().min(0).max(65_535)).default([]),
    hosts: hosts.default([]),
    maxBodyBytes: z.int().min(1),
    /** Bytes of all request bodies that are not complete yet, and of those from one address. */
    maxHeldBodyBytes: z.int().min(1),
    maxHeldBodyBytesPerAddress: z.int().min(1),
    /** Bytes of all answers and elements of streams that are not read yet, and of one caller's. */
    maxUnreadBytes: z.int().min(1),
    maxUnreadBytesPerCaller: z.int().min(1),
    /** Time for which a client may read nothing of what is on its way; 0 is for ever. */
    slowReaderMs: milliseconds,
    /** Limits of a JSON body. */
    json: z.strictObject({
      maxDepth: z.int().min(1).max(MAX_DEPTH),
      maxNumberLength: z.int().min(1).max(MAX_NUMBER_LENGTH),
      maxNameLength: z.int().min(1),
      maxMembers: z.int().min(1),
      maxValues: z.int().min(1),
    }),
    /** Websockets at once, and those of one user. */
    maxStreams: z.int().min(0),
    maxStreamsPerUser: z.int().min(0),
    requestTimeoutMs: milliseconds,
    /** Time that requests in flight may take to end once the server stops. */
    drainMs: milliseconds,
    /**
     * Whether answers are checked against the document: not at all, with a log line, or by
     * refusing.
     */
    responseCheck: z.enum(['off', 'log', 'throw']),
  })
  .refine(({ maxBodyBytes, maxHeldBodyBytesPerAddress: most }) => maxBodyBytes <= most, {
    path: ['maxHeldBodyBytesPerAddress'],
    message: 'must be at least server.maxBodyBytes',
  })
  .refine(
    ({ maxHeldBodyBytes, maxHeldBodyBytesPerAddress }) =>
      maxHeldBodyBytesPerAddress <= maxHeldBodyBytes,
    { path: ['maxHeldBodyBytes'], message: 'must be at least server.maxHeldBodyBytesPerAddress' },
  )
  .refine(
    ({ maxUnreadBytes, maxUnreadBytesPerCaller }) => maxUnreadBytesPerCaller <= maxUnreadBytes,
    { path: ['maxUnreadBytes'], message: 'must be at least server.maxUnreadBytesPerCaller' },
  )

const log = z.strictObject({
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  /** Lines for people instead of JSON; `auto` is: when the log goes to a terminal. */
  pretty: z.union([z.boolean(), z.literal('auto')]),
})

const pluginSection = z.looseObject({ use })
const namedSection = z.union(
  [z.looseObject({ use: use.optional() }), z.literal(false)],
  'expected a section or false',
)

/** The section of one of several nodes; everything else is as outside of the section. */
const nodeSection = z.strictObject({
  server: z
    .strictObject({
      host: z.string().min(1).optional(),
      port: z.int().min(0).max(65_535).optional(),
      alsoPorts: z.array(z.int().min(0).max(65_535)).optional(),
      hosts: hosts.optional(),
    })
    .optional(),
  empty: z.boolean().optional(),
  auth: z.array(pluginSection).optional(),
  automations: z.record(z.string(), namedSection).optional(),
  extensions: z.record(z.string(), namedSection).optional(),
  ledger: z.record(z.string(), z.unknown()).optional(),
  validator: z.record(z.string(), z.unknown()).optional(),
  quotas: z.record(z.string(), z.unknown()).optional(),
})

/** Stands in stored ids, and in the names of folders. */
const NODE_NAME = /^[a-z][a-z0-9-]{0,31}$/

/** Sections by name, the first node of a new ledger first. */
const nodeSections = z
  .record(z.string(), nodeSection)
  .refine((nodes) => Object.keys(nodes).length > 0, 'must name a node')
  .superRefine((nodes, context) => {
    for (const name of Object.keys(nodes))
      if (!NODE_NAME.test(name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'the name of a node is 1 to 32 of a-z 0-9 and -, and begins with a letter',
        })
  })

/** The whole configuration; keys that it does not know are refused. */
export const configSchema = z.strictObject({
  profile: z.enum(['dev', 'production']),
  server,
  /** Folder of everything that the service writes. */
  data: z.string().min(1),
  /**
   * The ledger's time: that of the machine, or one that stands still until an operation moves it.
   */
  clock: z.enum(['system', 'simulated']),
  /** Start without the users and coins that the development profile has to try things out with. */
  empty: z.boolean(),
  storage: pluginSection.optional(),
  auth: z.array(pluginSection),
  scheduler: pluginSection,
  automations: z.record(z.string(), namedSection),
  extensions: z.record(z.string(), namedSection),
  log,
  /** Settings of the services, read by them. */
  ledger: z.record(z.string(), z.unknown()),
  network: z.record(z.string(), z.unknown()),
  validator: z.record(z.string(), z.unknown()),
  quotas: z.record(z.string(), z.unknown()),
  /** Nodes that share a ledger; one without a name where absent. */
  nodes: nodeSections.optional(),
  /** Replacements for the constants of `spec/wire-names.yaml`. */
  wireNames: z.record(z.string(), z.unknown()),
  /** A word map, shipped or a file, and the interfaces that are served under its names. */
  vocabulary: z
    .strictObject({
      preset: z.string().min(1).optional(),
      file: z.string().min(1).optional(),
      interfaces: z.array(z.string().min(1)).min(1).default(INTERFACES),
    })
    .refine(({ preset, file }) => (preset === undefined) !== (file === undefined), {
      message: 'expected either preset or file',
    })
    .optional(),
})

export type ConfigValues = z.output<typeof configSchema>
export type Profile = ConfigValues['profile']

type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Given<T[K]> }
    : T

/** The file's content: every section and every setting may be left out. */
export type ConfigInput = Given<ConfigValues>

/** Names of the plugins that are on where the configuration does not speak of them. */
export interface DefaultPlugins {
  readonly automations: readonly string[]
  readonly extensions: readonly string[]
}

/** The values that hold where nothing else is said. */
export function defaultsOf(
  profile: Profile,
  { automations, extensions }: DefaultPlugins,
): Readonly<Record<string, unknown>> {
  const common = {
    profile,
    server: {
      host: '127.0.0.1',
      port: 8080,
      maxBodyBytes: 1_048_576,
      maxHeldBodyBytes: LIMITS.bodies.all,
      maxHeldBodyBytesPerAddress: LIMITS.bodies.each,
      maxUnreadBytes: LIMITS.unread.all,
      maxUnreadBytesPerCaller: LIMITS.unread.each,
      slowReaderMs: 10_000,
      json: {
        maxDepth: 256,
        maxNumberLength: 100,
        maxNameLength: 262_144,
        maxMembers: 100_000,
        maxValues: 200_000,
      },
      maxStreams: LIMITS.streams.all,
      maxStreamsPerUser: LIMITS.streams.each,
      requestTimeoutMs: 20_000,
      drainMs: 10_000,
      responseCheck: profile === 'dev' ? 'log' : 'off',
    },
    data: './data',
    clock: 'system',
    empty: profile === 'production',
    scheduler: { use: 'inprocess' },
    automations: sectionsOf(automations),
    extensions: sectionsOf(extensions),
    ledger: {},
    network: {},
    validator: {},
    quotas: {},
    wireNames: {},
  }
  if (profile === 'production')
    return { ...common, auth: [], log: { level: 'info', pretty: false } }
  return {
    ...common,
    storage: { use: 'sqlite' },
    auth: [{ use: 'open' }],
    log: { level: 'info', pretty: 'auto' },
  }
}

function sectionsOf(names: readonly string[]): Readonly<Record<string, object>> {
  return Object.fromEntries(names.map((name) => [name, {}]))
}
