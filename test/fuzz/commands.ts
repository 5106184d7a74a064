// Commands of the ledger interface for every template and choice of spec/contracts.yaml: arguments
// by their types, contracts and payloads that answers have shown.
import { fileURLToPath } from 'node:url'
import type {
  ChoiceIr,
  ContractsIr,
  MemberIr,
  NamedTypeIr,
  TemplateIr,
  TypeIr,
} from '../../codegen/contracts-ir.ts'
import { loadContracts } from '../../codegen/load/contracts.ts'
import type { Dice } from '../drive/dice.ts'
import { entityOf } from './memory.ts'
import type { Memory, Seen } from './memory.ts'

export interface Commands {
  readonly commands: readonly object[]
  /** Contracts that they may need to be shown. */
  readonly disclosed: readonly Seen[]
}

export interface CommandMaker {
  /** The commands of a submission; `party` acts. */
  make(memory: Memory, party: string, dice: Dice): Commands
  /** Ids of templates by package name, for filters. */
  readonly templateIds: readonly string[]
  readonly interfaceIds: readonly string[]
}

interface Setting {
  readonly types: ReadonlyMap<string, NamedTypeIr>
  readonly memory: Memory
  readonly party: string
  readonly dice: Dice
  /** Contracts that were named. */
  readonly used: Seen[]
  /** Templates that anybody can sign alone. */
  readonly open: readonly TemplateIr[]
}

const MAX_DEPTH = 6
const TEXTS = ['', 'x', 'a text', 'é', 'x'.repeat(300), '\u0000', 'open-round', '__proto__']
const INTS = ['0', '1', '-1', '100', '9223372036854775807', '-9223372036854775808', '1000000']
const DECIMALS = [
  '0.0',
  '1.0',
  '2.5',
  '0.0000000001',
  '-1.0',
  '9999999999999999999999999999.9999999999',
  '100.0',
  '0.005',
]
const TIMES = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '1970-01-01T00:00:00Z']
const TEST_RULES = '#network-test-token:Network.Test.Token:TestTokenRules'
const SIGNED_ALONE =
  /Signed by (?:the )?(?:\w+\.)?(?:sender|receiver|beneficiary|owner|operator|admin|endUserParty)\b(?! and|, )/
/**
 * Whoever makes contracts by commands can give two of them one tracking id; then no status is true,
 * so each gets its own.
 */
const TRACKING = 'trackingId'
/** Members that hold the network's party, and those that hold somebody else's. */
const NETWORKS = /^(?:dso|expectedDso|admin|expectedAdmin)$/
const OTHERS = /^(?:receiver|delegate|provider|operator|walletProvider|validator)$/
const AHEAD_MS = 600_000

/** Reads the contract types once. */
export function commandMaker(): CommandMaker {
  const { ir } = loadContracts(fileURLToPath(new URL('../../spec/contracts.yaml', import.meta.url)))
  const payloads = ir.templates.map(({ name, payload }): NamedTypeIr => ({
    name,
    shape: { kind: 'record', members: payload },
  }))
  const types = new Map([...ir.types, ...payloads].map((type) => [type.name, type]))
  const byName = new Map(ir.templates.map((template) => [template.name, template]))
  const open = ir.templates.filter(
    ({ name, description = '' }) =>
      SIGNED_ALONE.test(description) || name === 'TestTokenAllocationInstruction',
  )
  return {
    make: (memory, party, dice) => {
      const setting: Setting = { types, memory, party, dice, used: [], open }
      const commands = Array.from({ length: dice.pick([1, 1, 1, 1, 1, 1, 2, 4]) }, () =>
        commandOf(ir, byName, setting),
      )
      return {
        commands,
        disclosed: [...new Set(setting.used)].filter(({ blob }) => blob !== '' && dice.chance(0.8)),
      }
    },
    templateIds: ir.templates.map(templateIdOf),
    interfaceIds: ir.interfaces.map(templateIdOf),
  }
}

function templateIdOf({
  package: { name: packageName },
  module,
  name,
}: Pick<TemplateIr, 'package' | 'module' | 'name'>): string {
  return `#${packageName}:${module}:${name}`
}

function commandOf(
  ir: ContractsIr,
  templates: ReadonlyMap<string, TemplateIr>,
  setting: Setting,
): object {
  const { dice, memory } = setting
  const kind = dice.kind({ create: 3, exercise: 5, both: 1, test: 3 })
  const seen = memory.anyContract(setting.party, dice)
  const known = seen === undefined ? undefined : templates.get(entityOf(seen.templateId))
  if (kind === 'exercise' && seen !== undefined && known !== undefined)
    return exercise(ir, known, seen, setting)
  if (kind === 'test') return testToken(setting)
  const template = dice.pick(dice.chance(0.6) ? setting.open : ir.templates)
  const create = {
    templateId: templateIdOf(template),
    createArguments: payloadOf(template, setting),
  }
  if (kind !== 'both') return { CreateCommand: create }
  return { CreateAndExerciseCommand: { ...create, ...choiceOf(ir, template, setting) } }
}

function exercise(ir: ContractsIr, template: TemplateIr, seen: Seen, setting: Setting): object {
  const { id, templateId } = seen
  setting.used.push(seen)
  const { choice, choiceArgument, interfaceId } = choiceOf(ir, template, setting)
  const named = templateId.startsWith(':') ? templateIdOf(template) : templateId
  return {
    ExerciseCommand: { templateId: interfaceId ?? named, contractId: id, choice, choiceArgument },
  }
}

function choiceOf(ir: ContractsIr, template: TemplateIr, setting: Setting) {
  const { dice } = setting
  const inherited = ir.interfaces.filter(({ name }) => template.interfaces.includes(name))
  const all = [template, ...inherited].flatMap((owner) =>
    owner.choices.map((choice): readonly [ChoiceIr, string | undefined] => [
      choice,
      owner === template ? undefined : templateIdOf(owner),
    ]),
  )
  if (all.length === 0 || dice.chance(0.08)) return { choice: 'Archive', choiceArgument: {} }
  const [choice, interfaceId] = dice.pick(all)
  const choiceArgument = valueOf(choice.argument, '', setting, 0)
  return {
    choice: choice.name,
    choiceArgument,
    ...(interfaceId === undefined ? {} : { interfaceId }),
  }
}

/** A payload that was shown, now and then with another member; else one by its types. */
function payloadOf(template: TemplateIr, setting: Setting): unknown {
  const { dice, memory } = setting
  const shown = memory.contract(template.name, dice)?.payload
  const drawn = recordOf(template.payload, setting, 0)
  if (typeof shown !== 'object' || shown === null || dice.chance(0.3)) return drawn
  const { name } = dice.pick(template.payload)
  const own = Object.hasOwn(drawn, TRACKING) ? { [TRACKING]: Reflect.get(drawn, TRACKING) } : {}
  return { ...shown, ...own, ...(dice.chance(0.4) ? {} : { [name]: Reflect.get(drawn, name) }) }
}

/** Something that succeeds: rules of a test token of one's own, and what they mint. */
function testToken({ memory, party, dice }: Setting): object {
  const rules = memory.contract('TestTokenRules', dice)
  if (rules === undefined || dice.chance(0.3))
    return { CreateCommand: { templateId: TEST_RULES, createArguments: { admin: party } } }
  const choiceArgument = { owner: party, instrumentId: 'Gold', amount: dice.pick(DECIMALS) }
  return {
    ExerciseCommand: {
      templateId: TEST_RULES,
      contractId: rules.id,
      choice: 'TestTokenRules_Mint',
      choiceArgument,
    },
  }
}

function recordOf(members: readonly MemberIr[], setting: Setting, depth: number): object {
  return Object.fromEntries(
    members.map(({ name, type }) => [name, valueOf(type, name, setting, depth + 1)]),
  )
}

function valueOf(type: TypeIr, name: string, setting: Setting, depth: number): unknown {
  const { dice } = setting
  const some = (of: TypeIr): unknown[] => {
    const count = depth > MAX_DEPTH ? 0 : dice.pick([0, 1, 1, 2])
    return Array.from({ length: count }, () => valueOf(of, name, setting, depth + 1))
  }
  switch (type.kind) {
    case 'scalar':
      return scalarOf(type.name, name, setting)
    case 'named':
      return namedOf(type.name, setting, depth)
    case 'optional':
      return depth > MAX_DEPTH || dice.chance(0.5)
        ? null
        : valueOf(type.of, name, setting, depth + 1)
    case 'list':
      return some(type.of)
    case 'set':
      return { map: some(type.of).map((one) => [one, {}]) }
    case 'textMap':
      return Object.fromEntries(some(type.of).map((one) => [dice.pick(TEXTS), one]))
    case 'map':
      return some(type.second).map((one) => [valueOf(type.first, name, setting, depth + 1), one])
    case 'pair':
      return {
        _1: valueOf(type.first, name, setting, depth + 1),
        _2: valueOf(type.second, name, setting, depth + 1),
      }
  }
}

function namedOf(name: string, setting: Setting, depth: number): unknown {
  const shape = setting.types.get(name)?.shape
  if (shape === undefined) return {}
  if (shape.kind === 'enum') return setting.dice.pick(shape.names)
  if (shape.kind === 'record') return recordOf(shape.members, setting, depth)
  const { name: tag, type } = setting.dice.pick(
    depth > MAX_DEPTH ? shape.members.slice(0, 1) : shape.members,
  )
  return { tag, value: valueOf(type, tag, setting, depth + 1) }
}

function scalarOf(type: string, name: string, setting: Setting): unknown {
  const { memory, dice } = setting
  switch (type) {
    case 'Party':
      return partyFor(name, setting)
    case 'ContractId':
      return contractFor(name, setting)
    case 'Text':
      return name === TRACKING ? `t-${memory.next()}` : dice.pick(TEXTS)
    case 'Int':
      return dice.pick(INTS)
    case 'Decimal':
      return dice.pick(DECIMALS)
    case 'Bool':
      return dice.chance(0.5)
    case 'Time':
      return timeFor(dice)
    case 'RelTime':
      return { microseconds: dice.pick(INTS) }
    case 'Round':
      return { number: memory.some('name:round', dice) ?? dice.pick(INTS) }
    default:
      return {}
  }
}

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/open.*round/i, 'OpenMiningRound'],
  [/issuing/i, 'IssuingMiningRound'],
  [/coinrules/i, 'CoinRules'],
  [/coin|holding|input/i, 'Coin'],
  [/preapproval/i, 'TransferPreapproval'],
  [/right/i, 'FeaturedAppRight'],
  [/delegation/i, 'MergeDelegation'],
]

function timeFor(dice: Dice): string {
  return dice.chance(0.2)
    ? dice.pick(TIMES)
    : new Date(Date.now() + dice.between(-AHEAD_MS, AHEAD_MS)).toISOString()
}

/** Mostly who could sign: the network's party where it has to be, else the one that acts. */
function partyFor(name: string, { memory, party, dice }: Setting): string {
  if (NETWORKS.test(name))
    return dice.chance(0.1) ? party : (memory.some('name:dsoparty', dice) ?? party)
  const others = OTHERS.test(name) ? 0.7 : 0.2
  return dice.chance(others)
    ? (memory.some(dice.chance(0.7) ? 'wallet' : 'party', dice) ?? party)
    : party
}

function contractFor(name: string, { memory, dice, used }: Setting): string {
  const entity = BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
  const right = entity === undefined || dice.chance(0.2) ? undefined : memory.contract(entity, dice)
  if (right !== undefined) used.push(right)
  return right?.id ?? memory.some('contract', dice) ?? `00${'ab'.repeat(48)}`
}
