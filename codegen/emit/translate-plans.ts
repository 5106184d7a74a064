// Prints plans of one direction as changes: what the printed operations use, each component once,
// before it is used where that can be.
import { compareText } from '../values.ts'
import type { Plan, Planner, RecordPlan } from '../vocabulary/plan.ts'
import { propertyKey, quote } from '../literals.ts'

type Direction = 'inward' | 'outward'

const TEXTS = {
  'template-id': 'templateText',
  'interface-id': 'templateText',
  'package-name': 'packageText',
  'package-keys': 'packageKeys',
  name: 'nameText',
  message: 'messageText',
} as const

export class Sheet {
  readonly #planner: Planner
  readonly #direction: Direction
  readonly #nameOf: (key: string) => string | undefined
  readonly #identifiers = new Map<string, string>()
  /** Printed changes by identifier; undefined while one is being printed. */
  readonly #printed = new Map<string, string | undefined>()

  /** `nameOf` gives a component's type name, by the key of its node. */
  constructor(planner: Planner, direction: Direction, nameOf: (key: string) => string | undefined) {
    this.#planner = planner
    this.#direction = direction
    this.#nameOf = nameOf
  }

  /** The expression of a plan; what it needs is printed, too. */
  use(plan: Plan): string {
    if (!this.#planner.isLive(plan)) return 'same'
    const words = `${this.#direction}Words`
    switch (plan.kind) {
      case 'same':
        return 'same'
      case 'text':
        return `${TEXTS[plan.of]}(${words})`
      case 'payload':
        return `payload(${[words, ...plan.beside.map((name) => this.#beside(name))].join(', ')})`
      case 'mixed':
        return `all(${plan.plans
          .map((one) => this.use(one))
          .filter((code) => code !== 'same')
          .join(', ')})`
      case 'list':
        return `list(${[this.use(plan.rest), ...this.#places(plan.first)].join(', ')})`
      case 'record':
        return this.#record(plan)
      case 'node':
        return this.#node(plan.key)
    }
  }

  /** Everything that was used, in an order in which it can be evaluated. */
  print(): string {
    return [...this.#printed]
      .map(([identifier, code]) => `const ${identifier}: Change = ${code ?? 'same'}\n\n`)
      .join('')
  }

  #beside(name: string): string {
    return quote(this.#direction === 'outward' ? name : this.#planner.wireName(name))
  }

  #places(first: readonly Plan[]): readonly string[] {
    return first.length === 0 ? [] : [`[${first.map((one) => this.use(one)).join(', ')}]`]
  }

  #record({ members, rest }: RecordPlan): string {
    const changed = [...members].filter(
      ([name, { wire, plan }]) => name !== wire || this.#planner.isLive(plan),
    )
    const rules = changed
      .map(([name, { wire, plan }]) => {
        const [from, to] = this.#direction === 'outward' ? [name, wire] : [wire, name]
        const change = this.use(plan)
        return [
          from,
          `${propertyKey(from)}: [${quote(to)}${change === 'same' ? '' : `, ${change}`}]`,
        ] as const
      })
      .sort(([a], [b]) => compareText(a, b))
      .map(([, code]) => code)
    const others = this.use(rest)
    return `record({${rules.length === 0 ? '' : ` ${rules.join(', ')} `}}${others === 'same' ? '' : `, ${others}`})`
  }

  #node(key: string): string {
    const identifier = this.#identifier(key)
    if (!this.#printed.has(identifier)) {
      this.#printed.set(identifier, undefined)
      const code = this.use(this.#planner.node(key))
      // Put at the end: what it uses was printed on the way.
      this.#printed.delete(identifier)
      this.#printed.set(identifier, code)
    }
    return this.#printed.get(identifier) === undefined ? `again(() => ${identifier})` : identifier
  }

  #identifier(key: string): string {
    const known = this.#identifiers.get(key)
    if (known !== undefined) return known
    const name = this.#nameOf(key) ?? `Union_${this.#identifiers.size + 1}`
    const identifier = `${this.#direction}_${name}`
    this.#identifiers.set(key, identifier)
    return identifier
  }
}
