// Templates of uploaded packages for an engine: a package is decoded when a contract or a command
// first needs it, whichever server it was uploaded to. docs/decisions/0056-packages-that-run.md
import type { AnyTemplate, TemplateSource } from '../../engine/index.ts'
import type { LoadedPackages, LoadingOptions } from './loaded-packages.ts'

export class UploadedTemplates implements TemplateSource {
  readonly #options: LoadingOptions
  #loaded: LoadedPackages | undefined
  /** Packages that are being loaded, by id. */
  readonly #loading = new Map<string, Promise<void>>()

  constructor(options: LoadingOptions) {
    this.#options = options
  }

  get(templateId: string): AnyTemplate | undefined {
    return this.#loaded?.template(templateId)
  }

  async ready(templateIds: readonly string[]): Promise<void> {
    const packages = new Set(templateIds.map((id) => id.slice(0, id.indexOf(':'))))
    for (const packageId of packages) await this.#load(packageId)
  }

  #load(packageId: string): Promise<void> {
    const under = this.#loading.get(packageId)
    if (under !== undefined) return under
    const loading = this.#read(packageId).finally(() => this.#loading.delete(packageId))
    this.#loading.set(packageId, loading)
    return loading
  }

  async #read(packageId: string): Promise<void> {
    // The evaluator is no part of a start.
    const { LoadedPackages } = await import('./loaded-packages.ts')
    this.#loaded ??= new LoadedPackages(this.#options)
    await this.#loaded.load(packageId)
  }
}
