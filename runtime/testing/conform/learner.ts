// Learns from answers: which identifiers there are, which of them this run has made, and what was
// made but is gone again.
import type { OperationFacts, Values } from './facts.ts'
import { isExample } from './example-answer.ts'
import { isSafe } from './fill.ts'
import { linkedRequest } from './links.ts'
import { isIdentity, Pool } from './pool.ts'
import type { Made, Probe, Target } from './probe.ts'
import { askedKeys, pathKey, slotsOf, valueAt, valuesIn } from './slots.ts'

export class Learner {
  readonly pool = new Pool()
  readonly keys: ReadonlySet<string>
  readonly #targets: readonly Target[]
  readonly #made = new Map<string, Made>()
  readonly #identities: ReadonlyMap<OperationFacts, string | undefined>

  constructor(targets: readonly Target[]) {
    this.#targets = targets
    this.keys = askedKeys(targets.map(({ operation }) => operation))
    this.#identities = new Map(
      targets.map((target) => [target.operation, this.#identityKey(target)]),
    )
  }

  /** Things that this run has made and not deleted. */
  get remaining(): readonly Made[] {
    return [...this.#made.values()]
  }

  /**
   * Key of what a POST or PUT makes: that of the parameter which ends its own path, or follows it.
   */
  identityOf(operation: OperationFacts): string | undefined {
    return this.#identities.get(operation)
  }

  /** Takes in an answer; answers what the request has made. */
  learn(probe: Probe): readonly Made[] {
    const status = probe.answer?.status ?? 0
    // Nothing was found, made or deleted where an example answered.
    if (status < 200 || status >= 300 || isExample(probe.answer)) return []
    const { operation } = probe.target
    if (operation.method === 'DELETE') this.#forget(probe)
    return isSafe(operation.method) ? this.#see(probe) : this.#make(probe, status)
  }

  #see({ target: { operation }, value }: Probe): readonly Made[] {
    for (const { key, value: one } of valuesIn(operation, value, this.keys)) this.pool.see(key, one)
    return []
  }

  #forget({ target, request }: Probe): void {
    const name = lastParameter(target)
    const value = request.path[name ?? '']
    if (name === undefined || !isIdentity(value)) return
    this.#made.delete(`${target.template} ${value}`)
    if (target.template.endsWith('}')) this.pool.forget(pathKey(target.operation, name), value)
  }

  /**
   * What came with an answer is made, unless the request named it; what the request named is, where
   * it is the new thing's name.
   */
  #make(probe: Probe, status: number): readonly Made[] {
    const { operation } = probe.target
    const named = new Set(
      slotsOf(operation, probe.request, this.keys).map((slot) =>
        String(valueAt(probe.request, slot)),
      ),
    )
    for (const { key, value, isListed } of valuesIn(operation, probe.value, this.keys)) {
      if (isListed) this.pool.see(key, value)
      else if (!named.has(String(value))) this.pool.make(key, value)
    }
    if (operation.method === 'DELETE') return []
    const fresh = this.#identified(probe, status).filter(({ key, value }) =>
      this.pool.make(key, value),
    )
    for (const one of fresh) this.#made.set(`${one.template} ${one.value}`, one)
    return fresh
  }

  /**
   * The identity of what was made: by link, by Location, by the answer, else as the request gave
   * it.
   */
  #identified(probe: Probe, status: number): readonly Made[] {
    const linked = this.#linked(probe)
    if (linked.length > 0) return linked
    const { target, request, value } = probe
    if (isPart(target)) return made(target, request.path, request.path[lastParameter(target) ?? ''])
    const key = this.identityOf(target.operation)
    if (key === undefined || (target.operation.method !== 'POST' && status !== 201)) return []
    const found = valuesIn(target.operation, value, this.keys).find(
      (one) => one.key === key && !one.isListed,
    )?.value
    const given = slotsOf(target.operation, request, this.keys)
      .filter((slot) => slot.key === key)
      .map((slot) => valueAt(request, slot))
    const identity =
      found ??
      (target.operation.method === 'PUT' || status === 201 ? given.find(isIdentity) : undefined)
    const template = this.#resource(target)
    const owner = this.#targets.find((other) => other.template === template)
    return owner === undefined ? [] : made(owner, request.path, identity)
  }

  #linked(probe: Probe): readonly Made[] {
    const location = probe.answer?.headers.get('location')
    const byLocation = location === undefined ? [] : this.#byLocation(location)
    const byLink = this.#targets.flatMap((target) => {
      const values = linkedRequest(probe, target)
      const value = values?.path[lastParameter(target) ?? '']
      return values === undefined || !target.template.endsWith('}')
        ? []
        : made(target, { ...probe.request.path, ...values.path }, value)
    })
    return [...byLocation, ...byLink]
  }

  #byLocation(location: string): readonly Made[] {
    const path = /^(?:[a-z]+:\/\/[^/]*)?([^?#]*)/iu.exec(location)?.[1] ?? ''
    const found = this.#targets.find(
      ({ template }) => template.endsWith('}') && templatePattern(template).test(path),
    )
    const texts =
      found === undefined
        ? []
        : (templatePattern(found.template).exec(path)?.slice(1).map(decodedText) ?? [])
    const names =
      found?.operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name) ?? []
    const value = texts.at(-1)
    if (found === undefined || value === undefined || value === '') return []
    return made(found, Object.fromEntries(names.map((name, index) => [name, texts[index]])), value)
  }

  #identityKey(target: Target): string | undefined {
    const template = this.#resource(target)
    const owner = this.#targets.find((other) => other.template === template)
    const last = owner === undefined ? undefined : lastParameter(owner)
    return owner === undefined || last === undefined ? undefined : pathKey(owner.operation, last)
  }

  /**
   * Template of what is made: that of a PUT itself, for a POST the one that adds a parameter to it.
   */
  #resource({ template, operation: { method } }: Target): string | undefined {
    if (method === 'PUT') return template
    if (method !== 'POST') return undefined
    return this.#targets.find(
      (other) =>
        other.template.startsWith(`${template}/{`) &&
        /^\{[^{}/]+\}$/u.test(other.template.slice(template.length + 1)),
    )?.template
  }
}

/** Name of the path parameter that stands last. */
export function lastParameter({ operation }: Target): string | undefined {
  return operation.parameters.filter((parameter) => parameter.in === 'path').at(-1)?.name
}

/**
 * A PUT of something that has no name of its own but is found below what has: `/books/{id}/cover`.
 */
function isPart({ template, operation: { method } }: Target): boolean {
  return method === 'PUT' && !template.endsWith('}')
}

function made(owner: Target, path: Values, value: unknown): readonly Made[] {
  const name = lastParameter(owner)
  if (name === undefined || !isIdentity(value)) return []
  return [
    {
      template: owner.template,
      path: { ...path, [name]: value },
      key: pathKey(owner.operation, name),
      value,
    },
  ]
}

const PATTERNS = new Map<string, RegExp>()

/** Matches the concrete paths of a template; groups are the parameters' texts. */
export function templatePattern(template: string): RegExp {
  const known = PATTERNS.get(template)
  if (known !== undefined) return known
  // On the wire the fixed parts are escaped where the document is not.
  const wire = template.replaceAll(/\{[^{}]+\}|[^\u0021-\u007e]+/gu, (part) =>
    part.startsWith('{') ? part : encodeURIComponent(part),
  )
  const escaped = wire.replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`)
  const pattern = new RegExp(`^${escaped.replaceAll(/\{[^{}]+\}/gu, '([^/]+)')}$`, 'u')
  PATTERNS.set(template, pattern)
  return pattern
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
