// `ledgerwright scaffold`: brings hand-written handlers into line with the documents. From
// documents, files and lock to a report.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { GenerateOptions, InterfaceConfig } from '../config.ts'
import type { Finding } from '../findings.ts'
import type { InterfaceIr } from '../ir.ts'
import { loadOptions } from '../load/load-configured.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { addMissing, httpModule } from './add.ts'
import { askCompiler } from './ask-compiler.ts'
import type { SpreadMembers } from './ask-compiler.ts'
import { editedTexts } from './patch.ts'
import type { Edits } from './patch.ts'
import { obstacleTo, writeChanges } from './files.ts'
import type { Change } from './files.ts'
import { HANDLERS_LOCK, printHandlersLock, readHandlersLock } from './lock.ts'
import type { HandlersLock, ReadHandlersLock } from './lock.ts'
import { parseModule, placeOf, syntaxErrors } from './module.ts'
import { findHandlers } from './objects.ts'
import type { FoundHandlers } from './objects.ts'
import { placesAfter } from './places.ts'
import { planInterface } from './plan.ts'
import type { Held, InterfacePlan } from './plan.ts'
import { typePrints } from './prints.ts'
import { readProject } from './project.ts'
import type { HandProject } from './project.ts'
import { applyRenames } from './apply-renames.ts'
import type { HandlerPlace, ScaffoldReport } from './report.ts'

/** The configuration, with where handlers stand and whether they are written. */
export interface ScaffoldOptions extends GenerateOptions {
  /**
   * Files or folders with handlers, relative to the root, in place of those of the configuration.
   */
  readonly handlers?: readonly string[]
  /** False: only say what would be done, write nothing. */
  readonly write?: boolean
}

const NOTHING: Omit<ScaffoldReport, 'status' | 'milliseconds' | 'findings'> = {
  added: [],
  renamed: [],
  orphans: [],
  strangers: [],
  retyped: [],
  doubled: [],
  unsure: [],
  unread: [],
  files: new Map(),
  isLockStale: false,
}

type Outcome = Omit<ScaffoldReport, 'milliseconds'>

/**
 * Adds handlers for new operations, renames what the documents rename, and says what else does not
 * fit.
 */
export function scaffold(options: ScaffoldOptions): ScaffoldReport {
  const start = performance.now()
  const { config, write = true } = options
  const root = resolve(options.root ?? '.')
  const out = resolve(root, config.out)
  const { changes = [], ...report } = plan(options, root, out)
  const done =
    write && report.status === 'pending'
      ? written(changes, [root, out, ...(handlerPlaces(options, root) ?? [])])
      : {}
  return { ...report, ...done, milliseconds: performance.now() - start }
}

interface Planned {
  readonly changes?: readonly Change[]
}

function written(
  changes: readonly Change[],
  places: readonly string[],
): Outcome | { readonly status: 'written' } {
  const findings = changes.flatMap((change) => {
    const reason = obstacleTo(change, places)
    return reason === undefined ? [] : [finding(change.file, 'unwritable', reason)]
  })
  if (findings.length > 0) return { ...NOTHING, status: 'refused', findings }
  writeChanges(changes)
  return { status: 'written' }
}

function handlerPlaces(
  { config, handlers = config.handlers }: ScaffoldOptions,
  root: string,
): readonly string[] | undefined {
  return handlers?.map((place) => resolve(root, place))
}

/** All of a run but the writing. */
function plan(options: ScaffoldOptions, root: string, out: string): Outcome & Planned {
  const loaded = loadAll(options, root)
  const findings = loaded.flatMap((one) =>
    one.findings.filter(({ severity }) => severity === 'error'),
  )
  if (findings.length > 0) return { ...NOTHING, status: 'invalid', findings }
  const handlers = handlerPlaces(options, root)
  const project = readProject({ root, out, interfaces: loaded.map(({ ir }) => ir.name), handlers })
  const broken = brokenFiles(project)
  if (broken.length > 0) return { ...NOTHING, status: 'invalid', findings: broken }
  const former = readHandlersLock(out)
  if (former.isForeign) {
    return {
      ...NOTHING,
      status: 'refused',
      findings: [finding(join(out, HANDLERS_LOCK), 'not-generated', 'was not generated')],
    }
  }
  return changed({ project, loaded, handlers, former, write: options.write !== false })
}

interface Changing {
  readonly project: HandProject
  readonly loaded: readonly LoadedInterface[]
  readonly handlers: readonly string[] | undefined
  readonly former: ReadHandlersLock
  readonly write: boolean
}

function changed({ project, loaded, handlers, former, write }: Changing): Outcome & Planned {
  const plans = planAll(
    loaded.map(({ ir }) => ir),
    findHandlers(project),
    former.lock,
  )
  const edits: Edits = new Map()
  const { renamed, unsure } = applyRenames(project, plans, former.lock, edits)
  const { added, created } = addMissing(project, plans, handlers, httpModule(project.root), edits)
  const files = new Map([...editedTexts(edits), ...created])
  const findings = spoilt(files)
  if (findings.length > 0) return { ...NOTHING, status: 'refused', findings }
  const text = printHandlersLock(lockOf(plans, former.lock, project.out))
  const isLockStale = text !== former.text
  const before = {
    ...observations(plans),
    added,
    renamed,
    unsure,
    files,
    isLockStale,
    findings: [],
  }
  const found = write ? placesAfter(before, edits) : before
  const isDone = files.size === 0 && !isLockStale
  const changes = [
    ...[...files].map(([file, after]): Change => ({
      file,
      before: edits.get(file)?.module.text,
      after,
    })),
    // Last: what is told once is told again when the rest could not be written.
    ...(isLockStale
      ? [
          {
            file: join(project.out, HANDLERS_LOCK),
            before: former.text === '' ? undefined : former.text,
            after: text,
          },
        ]
      : []),
  ]
  return { ...found, status: isDone ? 'unchanged' : 'pending', changes }
}

/** Plans all interfaces; asks the compiler only where what is spread decides what is missing. */
function planAll(
  irs: readonly InterfaceIr[],
  found: FoundHandlers,
  lock: HandlersLock,
): readonly InterfacePlan[] {
  const planned = irs.map((ir) => ({ ir, prints: typePrints(ir) }))
  const plans = (spreads: SpreadMembers): readonly InterfacePlan[] =>
    planned.map(({ ir, prints }) => planInterface(ir, prints, { found, lock, spreads }))
  const read = plans(new Map())
  const lacking = new Set(
    read.filter(({ hidden }) => hidden.length > 0).flatMap(({ objects }) => objects),
  )
  const obscure = [...lacking].filter(({ unknownSpreads }) => unknownSpreads.length > 0)
  return obscure.length === 0 ? read : plans(askCompiler(obscure))
}

/** An interface under other words has the handlers of the one that it renames. */
function loadAll({ config }: ScaffoldOptions, root: string): readonly LoadedInterface[] {
  const isRenamed = ({ spec, vocabulary }: InterfaceConfig): boolean => {
    return (
      vocabulary !== undefined &&
      config.interfaces.some((other) => other.spec === spec && other.vocabulary === undefined)
    )
  }
  return config.interfaces
    .filter((one) => !isRenamed(one))
    .map((one) => loadInterface(resolve(root, one.spec), loadOptions(config, root, one)))
}

function finding(
  file: string,
  rule: string,
  message: string,
  at = { line: 1, column: 1 },
): Finding {
  return {
    severity: 'error',
    rule,
    message,
    at: { file, line: at.line, column: at.column, pointer: '' },
  }
}

/** Files that nobody can read as code: handlers in them would count as missing. */
function brokenFiles(project: HandProject): readonly Finding[] {
  const broken = syntaxErrors(project.modules).map((fault) =>
    finding(fault.file, 'syntax', fault.message, fault),
  )
  return [
    ...project.unreadable.map((file) => finding(file, 'not-utf8', 'is not UTF-8 text')),
    ...broken,
  ]
}

/** Findings of files that a change has spoilt: all must be code again, or nothing is written. */
function spoilt(files: ReadonlyMap<string, string>): readonly Finding[] {
  return syntaxErrors([...files].map(([file, text]) => parseModule(file, text))).map((fault) =>
    finding(
      fault.file,
      'unwritable',
      `cannot be changed without breaking it: ${fault.message}`,
      fault,
    ),
  )
}

/** The new lock; entries of interfaces that this run does not see stay while they are generated. */
function lockOf(plans: readonly InterfacePlan[], former: HandlersLock, out: string): HandlersLock {
  const seen = new Set(plans.map(({ ir }) => ir.name))
  const others = Object.entries(former).filter(
    ([name]) => !seen.has(name) && existsSync(join(out, name)),
  )
  return Object.fromEntries([
    ...others,
    ...plans.map(({ ir, locked }) => [ir.name, locked] as const),
  ])
}

function observations(
  plans: readonly InterfacePlan[],
): Pick<ScaffoldReport, 'orphans' | 'strangers' | 'retyped' | 'doubled' | 'unread'> {
  return {
    orphans: plans.flatMap(({ ir, orphans }) =>
      orphans.map(({ now, ...held }) => {
        return { ...handlerPlace(ir, held), ...(now === undefined ? {} : { now: now.operationId }) }
      }),
    ),
    strangers: plans.flatMap(({ ir, strangers }) =>
      strangers.map((held) => handlerPlace(ir, held)),
    ),
    retyped: plans.flatMap(({ ir, retyped }) =>
      retyped.map(({ operationId, parts, ...held }) => {
        return { ...handlerPlace(ir, held), operationId, parts }
      }),
    ),
    doubled: plans.flatMap(({ ir, doubled }) =>
      doubled.map(({ operationId, held }) => {
        return {
          interface: ir.name,
          operationId,
          at: held.map(({ object, member }) => placeOf(object.module, member.node)),
        }
      }),
    ),
    unread: plans
      .filter(({ hidden }) => hidden.length > 0)
      .flatMap(({ ir, opaque, hidden }) =>
        opaque.map(({ module, node }) => {
          return {
            interface: ir.name,
            operationIds: hidden.map(({ operationId }) => operationId),
            at: placeOf(module, node),
          }
        }),
      ),
  }
}

function handlerPlace({ name }: InterfaceIr, { object, member }: Held): HandlerPlace {
  return { interface: name, operationId: member.name, at: placeOf(object.module, member.node) }
}
