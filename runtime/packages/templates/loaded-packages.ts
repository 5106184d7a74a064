// The packages of a process that have been needed so far: one program, in which each is decoded
// once. docs/decisions/0056-packages-that-run.md
import { invalid } from '../../engine/index.ts'
import type { AnyTemplate } from '../../engine/index.ts'
import type { PackageRecord, PackageStore } from '../../store/store.ts'
import { readPayload } from '../archive/archive.ts'
import { MalformedArchive } from '../archive/message.ts'
import { Packages } from '../decode/packages.ts'
import type { Reference } from '../program/types.ts'
import { storedSummary } from '../summary/summary.ts'
import { EvaluationError } from '../values/failure.ts'
import type { EvaluationLimits } from '../values/failure.ts'
import { ValueCodecs } from './codec.ts'
import { isSame, namesake } from './in-code.ts'
import type { InCode } from './in-code.ts'
import { packageTemplate } from './package-template.ts'
import type { PackageTemplate } from './package-template.ts'
import { packageRunner } from './runner.ts'

export interface LoadingOptions {
  readonly packages: Pick<PackageStore, 'get' | 'payloadStream'>
  readonly inCode: InCode
  readonly limits: EvaluationLimits
}

export class LoadedPackages {
  readonly #options: LoadingOptions
  readonly #program = new Packages()
  /** Bytes of all that was read. */
  bytes = 0
  /** Templates that somebody asked for, by id. */
  readonly #templates = new Map<string, PackageTemplate>()
  readonly #meantIds = new Map<Reference, string>()
  readonly #making

  constructor(options: LoadingOptions) {
    this.#options = options
    const program = this.#program
    const codecs = new ValueCodecs(program)
    const meant = (reference: Reference): string => this.#meant(reference)
    const runner = packageRunner(program, options.limits, {
      program,
      codecs,
      meant,
      inCode: options.inCode,
      named: (reference) => this.#named(reference),
      of: ({ id }) => this.#template(id),
    })
    this.#making = { program, codecs, meant, runner }
  }

  /** Reads packages, and all that they need, that the store has and that may run. */
  async load(packageIds: readonly string[]): Promise<void> {
    const { packages, inCode } = this.#options
    const unread = packageIds.filter((id) => !this.#program.packages.has(id))
    const stored = unread.length === 0 ? [] : await packages.get(unread)
    const found = new Map<string, PackageRecord>()
    for (let next = stored.filter(({ name }) => !inCode.names.has(name)); next.length > 0;) {
      for (const record of next) found.set(record.packageId, record)
      const named = next.flatMap((one) => storedSummary(one).dependencies)
      const needed = new Set(named).difference(found)
      next = [...(await packages.get([...needed]))]
    }
    const missing = [...found.keys()].filter((id) => !this.#program.packages.has(id))
    const payloads = await Promise.all(
      missing.map(async (id) => [id, await this.#payload(id)] as const),
    )
    // In one go: others see it once it is whole.
    orUnknown(() => {
      for (const [id, payload] of payloads)
        if (!this.#program.packages.has(id)) {
          this.#program.add({ packageId: id, ...readPayload(payload) })
          this.bytes += payload.length
        }
    })
  }

  /** The template of a package that is loaded. */
  template(templateId: string): AnyTemplate | undefined {
    return this.#template(templateId)?.any
  }

  #template(templateId: string): PackageTemplate | undefined {
    const known = this.#templates.get(templateId)
    if (known !== undefined) return known
    const [packageId = '', module = '', name = ''] = templateId.split(':')
    const home = this.#program.packages.get(packageId)
    if (home === undefined || this.#options.inCode.names.has(home.name)) return undefined
    const definition = home.modules.get(module)?.templates.get(name)
    const made = definition && orUnknown(() => packageTemplate(this.#making, home, definition()))
    if (made !== undefined) this.#templates.set(templateId, made)
    return made
  }

  #meant(reference: Reference): string {
    const known = this.#meantIds.get(reference)
    if (known !== undefined) return known
    const { packageId, text } = reference
    const { program, codecs } = this.#making
    const name = program.packages.get(packageId)?.name ?? ''
    const ours = namesake(this.#options.inCode, name, text)
    const isOurs = ours !== undefined && isSame(program.interface(reference), ours, codecs)
    const id = isOurs ? ours.id : text
    this.#meantIds.set(reference, id)
    return id
  }

  #named({ text }: Reference): PackageTemplate {
    const found = this.#template(text)
    if (found === undefined) throw invalid(`There is no template ${text}`)
    return found
  }

  async #payload(packageId: string): Promise<Uint8Array> {
    const stream = await this.#options.packages.payloadStream(packageId)
    return Buffer.concat(await Array.fromAsync(stream ?? []))
  }
}

/** Undefined for what no check would have let pass: stored before there was one. */
function orUnknown<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof MalformedArchive || error instanceof EvaluationError) return undefined
    throw error
  }
}
