// Templates of uploaded packages for an engine: a package is decoded when a contract or a command
// first needs it, whichever server it was uploaded to. docs/decisions/0056-packages-that-run.md
import type { AnyTemplate, TemplateSource } from '../../engine/index.ts'
import type { LoadedPackages, LoadingOptions } from './loaded-packages.ts'

export class UploadedTemplates implements TemplateSource {
  readonly #options: LoadingOptions
  #loaded: LoadedPackages | undefined
  /** Loading under way: one after the other, so that nothing is read twice. */
  #loading: Promise<void> = Promise.resolve()

  constructor(options: LoadingOptions) {
    this.#options = options
  }

  get(templateId: string): AnyTemplate | undefined {
    return this.#loaded?.template(templateId)
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
  }
}
