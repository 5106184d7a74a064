// Templates of uploaded packages for an engine: a package is decoded when a contract or a command
// first needs it, whichever server it was uploaded to, and forgotten when many others were needed
// since. docs/decisions/0056-packages-that-run.md
import type { AnyTemplate, TemplateSource } from '../../engine/index.ts'
import type { LoadedPackages, LoadingOptions } from './loaded-packages.ts'

/** All released packages of the public network have 16 MB. */
const MAX_BYTES = 64 * 1024 * 1024

export class UploadedTemplates implements TemplateSource {
  readonly #options: LoadingOptions
  readonly #maxBytes: number
  #loaded: LoadedPackages | undefined
  /** Packages that were needed before; used until as many others are. */
  #earlier: LoadedPackages | undefined
  /** Loading under way: one after the other, so that nothing is read twice. */
  #loading: Promise<void> = Promise.resolve()

  /** @param maxBytes of packages, after which those that were needed before are forgotten */
  constructor(options: LoadingOptions, maxBytes = MAX_BYTES) {
    this.#options = options
    this.#maxBytes = maxBytes
  }

  get(templateId: string): AnyTemplate | undefined {
    return this.#loaded?.template(templateId) ?? this.#earlier?.template(templateId)
  }

  ready(templateIds: readonly string[]): Promise<void> {
    const packageIds = new Set(templateIds.map((id) => id.slice(0, id.indexOf(':'))))
    const loading = this.#loading.then(() => this.#load([...packageIds]))
    this.#loading = loading.catch(() => undefined)
    return loading
  }

  async #load(packageIds: readonly string[]): Promise<void> {
    // The evaluator is no part of a start.
    const { LoadedPackages } = await import('./loaded-packages.ts')
    this.#loaded ??= new LoadedPackages(this.#options)
    await this.#loaded.load(packageIds)
    if (this.#loaded.bytes <= this.#maxBytes) return
    this.#earlier = this.#loaded
    this.#loaded = undefined
  }
}
