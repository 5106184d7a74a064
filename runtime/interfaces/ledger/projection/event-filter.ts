// What an event format asks for: which parties' events, of which templates and interfaces, with
// which extras. docs/ledger-rules.md, "Formats and filters"
import { interfaceTypes } from '../../../../generated/contracts.gen.ts'
import type {
  EventFormat,
  Filters,
  IdentifierFilter,
} from '../../../../generated/ledger/types.gen.ts'
import type { AnyTemplate } from '../../../engine/template.ts'
import type { Sees } from '../../../participant/hosted.ts'

/** The template of an event. */
export interface Subject {
  readonly templateId: string
  readonly packageName: string
  readonly template: Pick<AnyTemplate, 'interfaces'> | undefined
}

/** A template that may be asked for. */
type Askable = Pick<AnyTemplate, 'id' | 'interfaces' | 'packageName' | 'reference'>

export interface Extras {
  readonly blob: boolean
  /** Interfaces whose view is asked for. */
  readonly views: readonly string[]
}

/** One event format, ready to be asked about events. */
export class EventFilter {
  readonly #sees: Sees | undefined
  readonly #byParty: ReadonlyMap<string, Wanted>
  readonly #anyParty: Wanted | undefined

  /** @param sees on one of several nodes: what no other party sees is left out */
  constructor({ filtersByParty = {}, filtersForAnyParty }: EventFormat, sees?: Sees) {
    this.#sees = sees
    this.#byParty = new Map(
      Object.entries(filtersByParty).map(([party, filters]) => [party, new Wanted(filters)]),
    )
    this.#anyParty = filtersForAnyParty && new Wanted(filtersForAnyParty)
  }

  /** The parties that the format speaks for; undefined where that is everybody. */
  get parties(): readonly string[] | undefined {
    return this.#anyParty === undefined ? [...this.#byParty.keys()] : undefined
  }

  /** The `parties` that the format speaks for, whatever it asks about them. */
  named(parties: readonly string[]): readonly string[] {
    const here = this.#sees === undefined ? parties : parties.filter(this.#sees)
    return this.#anyParty === undefined ? here.filter((party) => this.#byParty.has(party)) : here
  }

  /**
   * What is asked of an event that `parties`, which are `named`, may see; undefined where none of
   * them asks for it.
   */
  asks(subject: Subject, parties: readonly string[]): Extras | undefined {
    const wanted = parties.flatMap((party) => this.#byParty.get(party) ?? [])
    if (this.#anyParty !== undefined && parties.length > 0) wanted.push(this.#anyParty)
    const found = wanted.flatMap((each) => each.of(subject) ?? [])
    if (found.length === 0) return undefined
    return {
      blob: found.some(({ blob }) => blob),
      views: [...new Set(found.flatMap(({ views }) => views))],
    }
  }

  /** Whether anybody may ask for events of this template, in whatever version. */
  mayAsk(template: Askable): boolean {
    if (this.#anyParty?.mayBe(template) === true) return true
    for (const wanted of this.#byParty.values()) if (wanted.mayBe(template)) return true
    return false
  }
}

/**
 * Whether a filter may mean contracts of a template: by its name, or by its id in a version, known
 * here or not.
 */
function mayName(asked: string, { reference }: Pick<AnyTemplate, 'reference'>): boolean {
  return (
    asked === `#${reference}` ||
    (!asked.startsWith('#') && afterPackage(asked) === afterPackage(reference))
  )
}

interface Flags {
  readonly blob: boolean
  readonly view: boolean
}

/** The filters of one party, found by name: there may be thousands, and each event asks. */
class Wanted {
  /** Flags of the filters that let through everything; undefined where there is none. */
  #all: Flags | undefined
  readonly #templates = new Map<string, Flags>()
  readonly #interfaces = new Map<string, Flags>()

  constructor({ cumulative = [] }: Filters) {
    if (cumulative.length === 0) this.#all = { blob: false, view: false }
    for (const { identifierFilter } of cumulative) this.#add(identifierFilter)
  }

  /** The extras asked of an event of this template; undefined where it is not asked for. */
  of({ templateId, packageName, template }: Subject): Extras | undefined {
    // `#package-name:Module:Entity` names a template of any version of the package.
    const named = merged(
      this.#templates.get(templateId),
      this.#templates.get(`#${packageName}:${afterPackage(templateId)}`),
    )
    const implemented =
      this.#interfaces.size === 0
        ? []
        : (template?.interfaces ?? []).flatMap((id) => {
            const flags = merged(
              this.#interfaces.get(id),
              this.#interfaces.get(nameOfInterface(id)),
            )
            return flags === undefined ? [] : [{ id, ...flags }]
          })
    if (this.#all === undefined && named === undefined && implemented.length === 0) return undefined
    return {
      blob: [this.#all, named, ...implemented].some((flags) => flags?.blob === true),
      views: implemented.flatMap(({ id, view }) => (view ? [id] : [])),
    }
  }

  /** Whether it may ask for contracts of this template. */
  mayBe(template: Askable): boolean {
    const { id: templateId, packageName } = template
    if (this.of({ templateId, packageName, template }) !== undefined) return true
    for (const asked of this.#templates.keys()) if (mayName(asked, template)) return true
    return false
  }

  #add(filter: IdentifierFilter | undefined): void {
    if (filter !== undefined && 'TemplateFilter' in filter) {
      const { templateId, includeCreatedEventBlob: blob = false } = filter.TemplateFilter.value
      put(this.#templates, templateId, { blob, view: false })
    } else if (filter !== undefined && 'InterfaceFilter' in filter) {
      const {
        interfaceId,
        includeCreatedEventBlob: blob = false,
        includeInterfaceView: view = false,
      } = filter.InterfaceFilter.value
      put(this.#interfaces, interfaceId.startsWith('#') ? interfaceKey(interfaceId) : interfaceId, {
        blob,
        view,
      })
    } else {
      const isWildcard = filter !== undefined && 'WildcardFilter' in filter
      this.#all = merged(this.#all, {
        blob: isWildcard && (filter.WildcardFilter.value.includeCreatedEventBlob ?? false),
        view: false,
      })
    }
  }
}

function put(map: Map<string, Flags>, name: string, flags: Flags): void {
  map.set(name, merged(map.get(name), flags) ?? flags)
}

function merged(one: Flags | undefined, other: Flags | undefined): Flags | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return { blob: one.blob || other.blob, view: one.view || other.view }
}

/** Whether a name means the interface in code with this full id. */
export function isInterface(asked: string, interfaceId: string): boolean {
  return asked === interfaceId || asked === OWN_NAMES.get(interfaceId)
}

/** Names of the interfaces in code, by id. */
const OWN_NAMES: ReadonlyMap<string, string> = new Map(
  Object.values(interfaceTypes).map(({ id, packageName }) => [
    id,
    `#${packageName}:${afterPackage(id)}`,
  ]),
)
const OWN: ReadonlySet<string> = new Set(OWN_NAMES.values())

/** An interface's name as filters are found by it: of uploaded ones, module and entity tell it. */
function nameOfInterface(id: string): string {
  return OWN_NAMES.get(id) ?? `#${afterPackage(id)}`
}

/** The same of a name that is asked for. */
function interfaceKey(asked: string): string {
  return OWN.has(asked) ? asked : `#${afterPackage(asked)}`
}

function afterPackage(id: string): string {
  return id.slice(id.indexOf(':') + 1)
}
