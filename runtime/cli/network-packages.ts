// `network packages`: what developers of contracts do after each build. docs/own-contracts.md
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { watchFiles } from '../../codegen/watch/watch-files.ts'
import type { FileWatch } from '../../codegen/watch/watch-files.ts'
import { member } from '../host/member.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import {
  answerOf,
  connect,
  connectTo,
  developmentAnswer,
  say,
  ServiceUnreachable,
} from './network-connection.ts'
import type { AnyAnswer, Connection } from './network-connection.ts'
import type { AddPackagesFlags, ListPackagesFlags, NetworkFlags } from './network-flags.ts'
import { nodesFor } from './network-nodes.ts'
import { fail } from './outcome.ts'
import { isLibrary, packagesAt, runsText } from './package-states.ts'
import type { ShownPackage } from './package-states.ts'

const MOST_ENTITIES = 8
/** Milliseconds after which a service that did not answer is asked again. */
const AWAY_MS = 500

/** What to do about some refusals. */
const ADVICE = [
  [/^Tried to vet two packages/, 'raise the version, or begin at a snapshot each time: --revert'],
  [/Unsupported dar format/, 'start the service with a preset: docs/own-contracts.md'],
] as const

interface Target {
  readonly name: string
  readonly connection: Connection
}

/** `packages list` */
export async function listPackages({ json, ...flags }: ListPackagesFlags): Promise<void> {
  const all = await packagesAt(await connect(flags))
  if (json === true) {
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    return
  }
  const shown = all.filter((each) => !isLibrary(each))
  const [names, texts] = [widthOf(shown.map(titleOf)), widthOf(shown.map(runsText))]
  for (const each of shown)
    say(`${titleOf(each).padEnd(names)}  ${runsText(each).padEnd(texts)}  ${each.packageId}`)
  sayLibraries(all.length - shown.length)
}

/** `packages add`: exit code 1 where a file was not taken; with `--watch` it goes on. */
export async function addPackages(
  { watch, revert, ...flags }: AddPackagesFlags,
  files: readonly string[],
): Promise<void> {
  const targets = await targetsOf(flags)
  const seen = new Map<string, string>()
  let isAway = false
  const failed = (error: unknown): void => {
    const wasAway = isAway
    isAway = error instanceof ServiceUnreachable
    if (!isAway || !wasAway) fail(error)
    if (!isAway || watched === undefined) return
    seen.clear()
    setTimeout(() => watched?.nudge(), AWAY_MS)
  }
  const addAll = async (): Promise<void> => {
    const wanted = revert === undefined ? await changedOf(files, seen) : files
    if (wanted.length > 0 && revert !== undefined) await takeBack(targets, revert)
    for (const file of wanted) await addTo(targets, file).catch(failed)
  }
  let watched: FileWatch | undefined
  let adding = Promise.resolve()
  const add = (): void => {
    adding = adding.then(addAll).catch(failed)
  }
  if (watch === true) watched = watchFiles(add)
  watched?.follow(files.map((file) => resolve(file)))
  add()
  if (watched === undefined) await adding
}

/** The nodes to add to: all of the configuration, unless the flags name one. */
async function targetsOf(flags: NetworkFlags): Promise<readonly Target[]> {
  if (flags.url !== undefined || flags.node !== undefined)
    return [{ name: flags.node ?? '', connection: await connect(flags) }]
  const nodes = await nodesFor(flags)
  return Promise.all(
    nodes.map(async ({ name, config }) => ({ name, connection: await connectTo(config, flags) })),
  )
}

/** Files that are not as they were when they were last seen here. */
async function changedOf(
  files: readonly string[],
  seen: Map<string, string>,
): Promise<readonly string[]> {
  const stamps = await Promise.all(files.map(stampOf))
  return files.filter((file, index) => {
    const stamp = stamps[index] ?? ''
    if (seen.get(file) === stamp) return false
    seen.set(file, stamp)
    return true
  })
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`
}

async function takeBack([first]: readonly Target[], snapshot: string): Promise<void> {
  if (first !== undefined) await developmentAnswer(first.connection, 'revert', { snapshot })
}

async function addTo(targets: readonly Target[], file: string): Promise<void> {
  const archive = await openArchive(file)
  const added = new Map<string, ShownPackage>()
  let milliseconds = 0
  for (const { name, connection } of targets) {
    const before = new Set((await packagesAt(connection)).map(keyOf))
    const since = performance.now()
    const answer = await answerOf(connection, '/v2/dars', archive)
    milliseconds += performance.now() - since
    const node = targets.length > 1 ? ` on ${name}` : ''
    if (!answer.ok) throw new CommandError(`${file}${node}: ${refusalOf(answer)}`)
    for (const each of await packagesAt(connection))
      if (!before.has(keyOf(each))) added.set(each.packageId, each)
  }
  const nodes = targets.length > 1 ? ` on ${targets.map(({ name }) => name).join(', ')}` : ''
  const what = added.size === 0 ? 'nothing new' : 'usable'
  say(`${file}: ${what} in ${Math.round(milliseconds)} ms${nodes}`)
  const shown = [...added.values()].filter((each) => !isLibrary(each))
  for (const each of shown) {
    const entities = each.runs === 'package' ? `: ${entitiesOf(each)}` : ''
    say(`  ${titleOf(each)} ${runsText(each)}${entities}`)
  }
  sayLibraries(added.size - shown.length)
}

/** Read from the disk while it is sent. */
async function openArchive(file: string): Promise<Blob> {
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is not a file')
    return await openAsBlob(file)
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${messageOf(error)}`)
  }
}

/** One line: what is wrong, where, and what to do. */
function refusalOf({ status, body }: AnyAnswer): string {
  const context = member(body, 'context')
  const details = ['validationError', 'throwable', 'reason', 'missingDependencies']
    .map((key) => member(context, key))
    .filter((detail) => typeof detail === 'string' && detail !== '')
  const told = [String(member(body, 'cause') ?? '').replace(/\.$/, ''), ...details].join(': ')
  const [, advice] = ADVICE.find(([about]) => about.test(told)) ?? []
  return `the service answers ${status}: ${told}${advice === undefined ? '' : ` → ${advice}`}`
}

function keyOf({ packageId, runs }: ShownPackage): string {
  return `${packageId} ${runs}`
}

function titleOf({ packageName, packageVersion }: ShownPackage): string {
  return `${packageName} ${packageVersion}`
}

function entitiesOf({ templates, interfaces }: ShownPackage): string {
  const all = [...templates, ...interfaces.map((name) => `${name} (interface)`)]
  const more = all.length - MOST_ENTITIES
  const told = all.slice(0, MOST_ENTITIES).join(', ')
  return more > 0 ? `${told} and ${more} more` : told
}

function sayLibraries(count: number): void {
  if (count > 0) say(`  without templates and interfaces: ${count} more`)
}

function widthOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length))
}
