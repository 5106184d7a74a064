// Templates and interfaces of a transaction that not every node needs to know, and who learns of
// them.
import type { Templates, Uses } from './template-index.ts'

export class NotedUses {
  readonly #own: Pick<Templates, 'has'>
  readonly #parties = new Map<string, Set<string>>()
  readonly #met = new Set<string>()
  /** Called where a template is first met. */
  whenMet: () => void = () => undefined

  /** @param own templates that all nodes have */
  constructor(own: Pick<Templates, 'has'>) {
    this.#own = own
  }

  /** The parties by name. */
  get all(): Uses {
    return this.#parties
  }

  /** Notes that a template was looked for by its id. */
  meet(templateId: string): void {
    if (this.#own.has(templateId) || this.#met.has(templateId)) return
    this.#met.add(templateId)
    this.whenMet()
  }

  /** Notes who learns of a template, and of the interface by which it is used. */
  note(templateId: string, parties: readonly string[], interfaceId?: string): void {
    if (this.#own.has(templateId)) return
    for (const name of interfaceId === undefined ? [templateId] : [templateId, interfaceId]) {
      const known = this.#parties.get(name)
      if (known === undefined) this.#parties.set(name, new Set(parties))
      else for (const party of parties) known.add(party)
    }
  }
}
