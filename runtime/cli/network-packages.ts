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
  /** '' for the only one. */
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
  const additions = new Additions(await targetsOf(flags), files, revert)
  let watched: FileWatch | undefined
  let adding = Promise.resolve()
  let again: NodeJS.Timeout | undefined
  const add = (): void => {
    adding = adding.then(async () => {
      await additions.addAll().catch(fail)
      if (watched !== undefined && additions.isOwing) again ??= setTimeout(askAgain, AWAY_MS)
    })
  }
  const askAgain = (): void => {
    again = undefined
    watched?.nudge()
  }
  if (watch === true) watched = watchFiles(add)
  watched?.follow(files.map((file) => resolve(file)))
  add()
  if (watched === undefined) await adding
}

/** Files on their way to nodes: a node that does not answer gets later what it has not got. */
class Additions {
  readonly #targets: readonly Target[]
  readonly #files: readonly string[]
  readonly #snapshot: string | undefined
  readonly #seen = new Map<string, string>()
  /** The nodes that each file still has to be added to. */
  readonly #owed = new Map<string, readonly Target[]>()
  #owesRevert = false
  readonly #away = new Set<Target>()

  constructor(targets: readonly Target[], files: readonly string[], snapshot: string | undefined) {
    this.#targets = targets
    this.#files = files
    this.#snapshot = snapshot
  }

  /** Whether a node that did not answer still has to get something. */
  get isOwing(): boolean {
    return this.#owesRevert || this.#owed.size > 0
  }

  /** Adds what changed, all files where there is a snapshot to begin at, and what is owed. */
  async addAll(): Promise<void> {
    const changed = await changedOf(this.#files, this.#seen)
    if (this.#snapshot !== undefined && changed.length > 0) this.#owesRevert = true
    for (const file of this.#owesRevert ? this.#files : changed) this.#owed.set(file, this.#targets)
    if (!(await this.#reverted())) return
    for (const [file, targets] of this.#owed) {
      const left = await addTo(targets, file, this.#asking).catch((error: unknown) => {
        fail(error)
        return []
      })
      if (left.length === 0) this.#owed.delete(file)
      else this.#owed.set(file, left)
    }
  }

  async #reverted(): Promise<boolean> {
    const [[first], snapshot] = [this.#targets, this.#snapshot]
    if (!this.#owesRevert || first === undefined || snapshot === undefined) return true
    this.#owesRevert = false
    try {
      const { connection } = first
      const ask = async () => (await developmentAnswer(connection, 'revert', { snapshot }), true)
      this.#owesRevert = (await this.#asking(first, ask)) !== true
    } catch (error) {
      this.#owed.clear()
      throw error
    }
    return !this.#owesRevert
  }

  /** What a node answers; undefined where it does not, which is told once until it does. */
  readonly #asking: Asking = async (target, ask) => {
    try {
      const answer = await ask(target)
      this.#away.delete(target)
      return answer
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) throw error
      if (!this.#away.has(target)) fail(error)
      this.#away.add(target)
      return undefined
    }
  }
}

/** Asks a node, and minds where it does not answer. */
type Asking = <T>(target: Target, ask: (target: Target) => Promise<T>) => Promise<T | undefined>

/** The nodes to add to: all of the configuration, unless the flags name one. */
async function targetsOf(flags: NetworkFlags): Promise<readonly Target[]> {
  if (flags.url !== undefined || flags.node !== undefined)
    return [{ name: '', connection: await connect(flags) }]
  const nodes = await nodesFor(flags)
  return Promise.all(
    nodes.map(async ({ name, config }) => ({
      name: nodes.length > 1 ? name : '',
      connection: await connectTo(config, flags),
    })),
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

/** Adds a file to the nodes that answer. Returns the others. */
async function addTo(
  targets: readonly Target[],
  file: string,
  asking: Asking,
): Promise<readonly Target[]> {
  const archive = await openArchive(file)
  const added = new Map<string, ShownPackage>()
  const left: Target[] = []
  let milliseconds = 0
  for (const target of targets) {
    const taken = await asking(target, () => addToOne(target, file, archive))
    if (taken === undefined) left.push(target)
    milliseconds += taken?.milliseconds ?? 0
    for (const each of taken?.added ?? []) added.set(each.packageId, each)
  }
  const names = targets.filter((each) => !left.includes(each)).map(({ name }) => name)
  if (names.length > 0) sayAdded(file, names.join(', '), milliseconds, [...added.values()])
  return left
}

interface Taken {
  readonly milliseconds: number
  readonly added: readonly ShownPackage[]
}

async function addToOne({ name, connection }: Target, file: string, archive: Blob): Promise<Taken> {
  const before = new Set((await packagesAt(connection)).map(keyOf))
  const since = performance.now()
  const answer = await answerOf(connection, '/v2/dars', archive)
  const milliseconds = performance.now() - since
  if (!answer.ok) throw new CommandError(`${file}${onNode(name)}: ${refusalOf(answer)}`)
  const added = (await packagesAt(connection)).filter((each) => !before.has(keyOf(each)))
  return { milliseconds, added }
}

function sayAdded(
  file: string,
  nodes: string,
  milliseconds: number,
  added: readonly ShownPackage[],
): void {
  const what = added.length === 0 ? 'nothing new' : 'usable'
  say(`${file}: ${what} in ${Math.round(milliseconds)} ms${onNode(nodes)}`)
  const shown = added.filter((each) => !isLibrary(each))
  for (const each of shown) {
    const entities = each.runs === 'package' ? `: ${entitiesOf(each)}` : ''
    say(`  ${titleOf(each)} ${runsText(each)}${entities}`)
  }
  sayLibraries(added.length - shown.length)
}

function onNode(names: string): string {
  return names === '' ? '' : ` on ${names}`
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
