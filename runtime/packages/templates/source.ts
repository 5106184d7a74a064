// Templates of uploaded packages for an engine: a package is decoded when a contract or a command
// first needs it, whichever server it was uploaded to, and forgotten when many others were needed
// since. docs/decisions/0056-packages-that-run.md
import type {
  AnyTemplate,
  MoreTemplates,
  Rejection,
  TemplateSource,
  Uses,
} from '../../engine/index.ts'
import type { LoadedPackages, LoadingOptions } from './loaded-packages.ts'

/** All released packages of the public network have 16 MB. */
const MAX_BYTES = 64 * 1024 * 1024

interface SourceOptions extends LoadingOptions {
  /** A name that is not vetted where somebody would learn of it; absent: everything is. */
  readonly unvetted?: (
    uses: Uses,
  ) => Promise<{ readonly name: string; readonly participant: string } | undefined>
}

export class UploadedTemplates implements TemplateSource {
  readonly #options: SourceOptions
  readonly #maxBytes: number
  #loaded: LoadedPackages | undefined
  /** Packages that were needed before; used until as many others are. */
  #earlier: LoadedPackages | undefined
  /** Loading under way: one after the other, so that nothing is read twice. */
  #loading: Promise<unknown> = Promise.resolve()

  /** @param maxBytes of packages, after which those that were needed before are forgotten */
  constructor(options: SourceOptions, maxBytes = MAX_BYTES) {
    this.#options = options
    this.#maxBytes = maxBytes
  }

  get(templateId: string): AnyTemplate | undefined {
    return this.#loaded?.template(templateId) ?? this.#earlier?.template(templateId)
  }

  async ready(templateIds: readonly string[]): Promise<void> {
    await this.#load(templateIds)
  }

  /** One program for all that a transaction runs, whatever others need meanwhile. */
  hold(): MoreTemplates {
    let held = this.#loaded
    return {
      get: (templateId) => {
        held ??= this.#loaded
        return held?.template(templateId)
      },
      ready: async (templateIds) => {
        held = await this.#load(templateIds, held)
      },
    }
  }

  async refusal(uses: Uses): Promise<Rejection | undefined> {
    const { inCode, unvetted } = this.#options
    const own = new Set(Array.from(inCode.interfaces.values(), ({ id }) => id))
    const found = await unvetted?.(new Map([...uses].filter(([name]) => !own.has(name))))
    if (found === undefined) return undefined
    return { kind: 'unvetted', packageId: packageOf(found.name), participant: found.participant }
  }

  /** Loads the packages of templates into a program, or into the one that everybody uses. */
  #load(templateIds: readonly string[], into?: LoadedPackages): Promise<LoadedPackages> {
    const packageIds = [...new Set(templateIds.map(packageOf))]
    const loading = this.#loading.then(async () => {
      // The evaluator is no part of a start.
      const { LoadedPackages } = await import('./loaded-packages.ts')
      const loaded = into ?? (this.#loaded ??= new LoadedPackages(this.#options))
      await loaded.load(packageIds)
      if (loaded === this.#loaded && loaded.bytes > this.#maxBytes) {
        this.#earlier = loaded
        this.#loaded = undefined
      }
      return loaded
    })
    this.#loading = loading.catch(() => undefined)
    return loading
  }
}

function packageOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}
