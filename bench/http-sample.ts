// The interface that all servers of bench/http.ts answer: 60 routes, a small object to get, about 1 KB to post.
// Hand-made in the form that the generator prints, so that the figure does not hang on the generator's state.
import type { Issue, WireInterface, WireMedia, WireOperation } from '../runtime/http/index.ts'

export const GET_PATH = '/v2/users/alice'
export const POST_PATH = '/v2/users/alice/commands'

export const USER = {
  id: 'alice', primaryParty: `alice::1220${'ab'.repeat(32)}`, isDeactivated: false, resourceVersion: '42',
}

/** About 1 KB, shaped like a command: texts, a list of objects, decimals, nested objects. */
export const COMMAND = {
  commandId: '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
  userId: 'alice',
  actAs: [`alice::1220${'ab'.repeat(32)}`],
  readAs: [`bob::1220${'cd'.repeat(32)}`],
  synchronizerId: `global::1220${'ef'.repeat(32)}`,
  deduplicationSeconds: 30,
  commands: ['1', '2', '3'].map((n) => ({
    templateId: `#coin:Holding:Coin${n}`,
    contractId: `00${n.repeat(64)}`,
    choice: 'Transfer',
    amount: '1234.5678900000',
    meta: { reason: 'benchmark', nonce: n },
  })),
}

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

export const COMMAND_SCHEMA = {
  type: 'object',
  required: ['commandId', 'userId', 'actAs', 'commands'],
  properties: {
    commandId: { type: 'string', minLength: 1, maxLength: 128 },
    userId: { type: 'string', minLength: 1, maxLength: 128 },
    actAs: { ...texts, minItems: 1 },
    readAs: texts,
    synchronizerId: text,
    deduplicationSeconds: { type: 'integer', minimum: 0, maximum: 86_400 },
    commands: {
      type: 'array', minItems: 1,
      items: {
        type: 'object',
        required: ['templateId', 'contractId', 'choice', 'amount'],
        properties: {
          templateId: text, contractId: { type: 'string', pattern: '^[0-9a-f]+$' }, choice: text,
          amount: { type: 'string', pattern: '^-?[0-9]{1,28}(\\.[0-9]{1,10})?$' },
          meta: { type: 'object', additionalProperties: text },
        },
      },
    },
  },
} as const

export const USER_SCHEMA = {
  type: 'object',
  required: ['id', 'primaryParty', 'isDeactivated', 'resourceVersion'],
  properties: { id: text, primaryParty: text, isDeactivated: { type: 'boolean' }, resourceVersion: text },
} as const

export const ACCEPTED_SCHEMA = {
  type: 'object', required: ['updateId', 'offset'], properties: { updateId: text, offset: text },
} as const

export const PARAMETERS_SCHEMA = {
  type: 'object', required: ['user-id'], properties: { 'user-id': { type: 'string', minLength: 1, maxLength: 128 } },
} as const

const HEX = /^[0-9a-f]+$/
const DECIMAL = /^-?[0-9]{1,28}(\.[0-9]{1,10})?$/

type Members = Readonly<Record<string, unknown>>

function violation(issues: Issue[], pointer: string, keyword: string, message: string): void {
  issues.push({ in: 'body', pointer, keyword, message })
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkText(value: unknown, pointer: string, issues: Issue[], required: boolean, pattern?: RegExp): void {
  if (value === undefined) {
    if (required) violation(issues, pointer, 'required', 'is required')
  } else if (typeof value !== 'string') violation(issues, pointer, 'type', 'must be a string')
  else if (pattern !== undefined && !pattern.test(value)) violation(issues, pointer, 'pattern', `must match ${pattern}`)
}

function checkId(value: unknown, pointer: string, issues: Issue[]): void {
  checkText(value, pointer, issues, true)
  if (typeof value === 'string' && (value.length < 1 || value.length > 128)) {
    violation(issues, pointer, 'maxLength', 'must have 1 to 128 characters')
  }
}

function checkTexts(value: unknown, pointer: string, issues: Issue[], least: number): void {
  if (value === undefined) {
    if (least > 0) violation(issues, pointer, 'required', 'is required')
  } else if (!Array.isArray(value)) violation(issues, pointer, 'type', 'must be an array')
  else if (value.length < least) violation(issues, pointer, 'minItems', 'must not be empty')
  else for (let at = 0; at < value.length; at++) checkText(value[at], `${pointer}/${at}`, issues, true)
}

function checkOne(value: unknown, pointer: string, issues: Issue[]): void {
  if (!isMembers(value)) return violation(issues, pointer, 'type', 'must be an object')
  const { templateId, contractId, choice, amount, meta } = value
  checkText(templateId, `${pointer}/templateId`, issues, true)
  checkText(contractId, `${pointer}/contractId`, issues, true, HEX)
  checkText(choice, `${pointer}/choice`, issues, true)
  checkText(amount, `${pointer}/amount`, issues, true, DECIMAL)
  if (meta === undefined) return
  if (!isMembers(meta)) return violation(issues, `${pointer}/meta`, 'type', 'must be an object')
  for (const name in meta) checkText(meta[name], `${pointer}/meta/${name}`, issues, true)
}

function checkCommand(value: unknown, issues: Issue[]): void {
  if (!isMembers(value)) return violation(issues, '', 'type', 'must be an object')
  const { commandId, userId, actAs, readAs, synchronizerId, deduplicationSeconds: seconds, commands } = value
  checkId(commandId, '/commandId', issues)
  checkId(userId, '/userId', issues)
  checkTexts(actAs, '/actAs', issues, 1)
  checkTexts(readAs, '/readAs', issues, 0)
  checkText(synchronizerId, '/synchronizerId', issues, false)
  if (seconds !== undefined && !Number.isInteger(seconds)) {
    violation(issues, '/deduplicationSeconds', 'type', 'must be an integer')
  }
  if (!Array.isArray(commands)) return violation(issues, '/commands', 'type', 'must be an array')
  for (let at = 0; at < commands.length; at++) checkOne(commands[at], `/commands/${at}`, issues)
}

function checkReply(schema: { readonly required: readonly string[] }): NonNullable<WireMedia['check']> {
  return (value, issues) => {
    if (!isMembers(value)) return violation(issues, '', 'type', 'must be an object')
    for (const name of schema.required) {
      if (value[name] === undefined) violation(issues, `/${name}`, 'required', 'is required')
    }
  }
}

const userIdOnly: WireOperation['parameters'] = (raw, issues) => {
  const id = raw.path[0]
  if (id === undefined || id.length < 1 || id.length > 128) {
    issues.push({ in: 'path', pointer: 'user-id', keyword: 'maxLength', message: 'must have 1 to 128 characters' })
  }
  return { path: { 'user-id': id }, query: {}, headers: {}, cookies: {} }
}

const jsonOf = (check: WireMedia['check']): WireMedia => ({
  mediaType: 'application/json', kind: 'json', int64: false, ...(check === undefined ? {} : { check }),
})

const SECTIONS = [
  'state', 'packages', 'parties', 'updates', 'events', 'dars', 'idps', 'interactive', 'topology', 'pruning',
]

/** 58 further paths, so that matching has something to tell apart. */
export const OTHER_PATHS = SECTIONS.flatMap((section) => [
  `/v2/${section}`, `/v2/${section}/{item-id}`, `/v2/${section}/{item-id}/status`, `/v2/${section}/latest`,
  `/v2/${section}/{item-id}/parts/{part-id}`, `/v2/${section}/by-owner/{owner}`,
]).slice(0, 58)

const operation = (method: 'GET' | 'POST', path: string, check: WireMedia['check']): WireOperation => ({
  operationId: `${method} ${path}`, method, path, parameters: userIdOnly, security: [{ bearer: [] }],
  responses: [{ status: '200', media: [jsonOf(check)], headers: [] }],
})

export const SAMPLE: WireInterface = {
  name: 'sample', title: 'Sample', version: '1', mount: '', problems: 'plain',
  checks: ['token', 'authenticated', 'parameters', 'mediaType', 'body', 'rights', 'constraints'],
  operations: [
    operation('GET', '/v2/users/{user-id}', checkReply(USER_SCHEMA)),
    {
      ...operation('POST', '/v2/users/{user-id}/commands', checkReply(ACCEPTED_SCHEMA)),
      body: { required: true, media: [jsonOf(checkCommand)] },
    },
    ...OTHER_PATHS.map((path) => operation('GET', path, undefined)),
  ],
}
