// What an event format asks for: which parties' events, of which templates and interfaces, with which extras. domain/ledger.md §7.2
import type { EventFormat, Filters, IdentifierFilter } from '../../../../generated/ledger/types.gen.ts'
import type { AnyTemplate } from '../../../ledger/template.ts'

/** The template of an event. */
export interface Subject {
  readonly templateId: string
  readonly packageName: string
  readonly template: AnyTemplate | undefined
}

export interface Extras {
  readonly blob: boolean
  /** Interfaces whose view is asked for. */
  readonly views: readonly string[]
}

interface Match extends Extras {
  readonly matches: boolean
}

const ALL: Match = { matches: true, blob: false, views: [] }
const NONE: Match = { matches: false, blob: false, views: [] }

/** One event format, ready to be asked about events. */
export class EventFilter {
  readonly #byParty: ReadonlyMap<string, Filters>
  readonly #anyParty: Filters | undefined

  constructor({ filtersByParty = {}, filtersForAnyParty }: EventFormat) {
    this.#byParty = new Map(Object.entries(filtersByParty))
    this.#anyParty = filtersForAnyParty
  }

  /** Those of `parties` that the format speaks for, whatever it asks about them. */
  named(parties: readonly string[]): readonly string[] {
    return this.#anyParty === undefined ? parties.filter((party) => this.#byParty.has(party)) : parties
  }

  /** What is asked of an event that `parties` may see; undefined where none of them asks for it. */
  asks(subject: Subject, parties: readonly string[]): Extras | undefined {
    const filters = parties.flatMap((party) => this.#byParty.get(party) ?? [])
    if (this.#anyParty !== undefined && parties.length > 0) filters.push(this.#anyParty)
    const matches = filters.map((each) => matchOf(each, subject)).filter(({ matches: isMatch }) => isMatch)
    if (matches.length === 0) return undefined
    return { blob: matches.some(({ blob }) => blob), views: [...new Set(matches.flatMap(({ views }) => views))] }
  }
}

function matchOf({ cumulative = [] }: Filters, subject: Subject): Match {
  if (cumulative.length === 0) return ALL
  const matches = cumulative.map(({ identifierFilter }) =>
    identifierFilter === undefined ? ALL : identifierMatch(identifierFilter, subject))
  return {
    matches: matches.some((match) => match.matches),
    blob: matches.some((match) => match.matches && match.blob),
    views: matches.flatMap((match) => match.views),
  }
}

function identifierMatch(filter: IdentifierFilter, subject: Subject): Match {
  if ('TemplateFilter' in filter) {
    const { templateId, includeCreatedEventBlob = false } = filter.TemplateFilter.value
    return isNamed(templateId, subject.templateId, subject.packageName) ? { ...ALL, blob: includeCreatedEventBlob } : NONE
  }
  if ('InterfaceFilter' in filter) {
    const { interfaceId, includeCreatedEventBlob = false, includeInterfaceView = false } = filter.InterfaceFilter.value
    const implemented = subject.template?.interfaces.find((id) => isInterface(interfaceId, id))
    if (implemented === undefined) return NONE
    return { matches: true, blob: includeCreatedEventBlob, views: includeInterfaceView ? [implemented] : [] }
  }
  if ('WildcardFilter' in filter) return { ...ALL, blob: filter.WildcardFilter.value.includeCreatedEventBlob ?? false }
  return ALL
}

/** `#package-name:Module:Entity` names a template of any version of the package. */
function isNamed(asked: string, templateId: string, packageName: string): boolean {
  if (!asked.startsWith('#')) return asked === templateId
  return asked === `#${packageName}:${templateId.slice(templateId.indexOf(':') + 1)}`
}

/** Whether a name means the interface with this full id. An interface stands in one package, so module and entity tell it. */
export function isInterface(asked: string, interfaceId: string): boolean {
  return asked === interfaceId || (asked.startsWith('#') && afterPackage(asked) === afterPackage(interfaceId))
}

function afterPackage(id: string): string {
  return id.slice(id.indexOf(':') + 1)
}
