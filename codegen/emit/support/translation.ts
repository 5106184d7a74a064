// What printed translations are made of: changes of names in values that a schema has checked. A
// change never touches its argument, and gives it back as it is where nothing in it is named
// otherwise.

/**
 * Says a value in the other words. `owner` is the object, in the words it came in, that the value
 * is a member of.
 */
export type Change = (value: unknown, owner?: Members) => unknown

/** Members of an object, by name. */
export type Members = Readonly<Record<string, unknown>>

/**
 * A name that is replaced as a whole in payloads; with `of` only in those of templates and choices
 * whose name has this word.
 */
export interface NameRule {
  readonly from: string
  readonly to: string
  readonly of?: string
}

/** One direction of a vocabulary. */
export interface Dictionary {
  /** Words of names: keys of payloads, entities, choices. */
  readonly words: Readonly<Record<string, string>>
  readonly modules: Readonly<Record<string, string>>
  readonly packages: Readonly<Record<string, string>>
  /** Names of packages and paths of modules that no word makes. */
  readonly whole: {
    readonly packages: Readonly<Record<string, string>>
    readonly modules: Readonly<Record<string, string>>
  }
  readonly names: readonly NameRule[]
  /** Names that stay as they are. */
  readonly keep: readonly string[]
  /** Names and ids of the packages that have other words; absent: all have. */
  readonly own?: Readonly<Record<string, true>>
}

/** What a vocabulary changes in values of a schema. One plan serves both directions. */
export type Plan =
  | { readonly kind: 'same' }
  /** A component, or a union of schemas that may hold itself. */
  | { readonly kind: 'node'; readonly key: string }
  /** Members by their name in the document; `rest` is for those without a schema of their own. */
  | {
      readonly kind: 'record'
      readonly members: Readonly<Record<string, { readonly wire: string; readonly plan: Plan }>>
      readonly rest: Plan
    }
  | { readonly kind: 'list'; readonly first: readonly Plan[]; readonly rest: Plan }
  | { readonly kind: 'text'; readonly of: keyof typeof TEXTS }
  /** `beside`: both names of each member beside it that says its template or choice. */
  | { readonly kind: 'payload'; readonly beside: readonly (readonly [own: string, wire: string])[] }
  /** Plans for values of different types. */
  | { readonly kind: 'mixed'; readonly plans: readonly Plan[] }

const TEXTS = {
  'template-id': templateText,
  'interface-id': templateText,
  'package-name': packageText,
  'package-keys': packageKeys,
  name: nameText,
  message: messageText,
} as const

/** The changes of one direction by their plans; `nodeOf` has the plans of nodes. */
export function changesBy(
  dictionary: Dictionary,
  direction: 'inward' | 'outward',
  nodeOf: (key: string) => Plan | undefined,
): (plan: Plan) => Change {
  const nodes = new Map<string, Change>()
  const turned = (own: string, wire: string): readonly [string, string] =>
    direction === 'outward' ? [own, wire] : [wire, own]
  const changeOf = (plan: Plan): Change => {
    switch (plan.kind) {
      case 'same':
        return same
      case 'text':
        return TEXTS[plan.of](dictionary)
      case 'payload':
        return payload(dictionary, ...plan.beside.map((names) => turned(...names)[0]))
      case 'mixed':
        return all(...plan.plans.map(changeOf))
      case 'list':
        return list(changeOf(plan.rest), plan.first.map(changeOf))
      case 'record': {
        const rules = Object.entries(plan.members).map(([own, member]): [string, MemberRule] => {
          const [from, to] = turned(own, member.wire)
          return [from, [to, changeOf(member.plan)]]
        })
        return record(Object.fromEntries(rules), changeOf(plan.rest))
      }
      case 'node':
        return again(() => {
          const change = nodes.get(plan.key) ?? changeOf(nodeOf(plan.key) ?? { kind: 'same' })
          nodes.set(plan.key, change)
          return change
        })
    }
  }
  return changeOf
}

/** A member's name in the other words, and what happens to its value. */
export type MemberRule = readonly [name: string, change?: Change]

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/gu
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/u
/** A word between blanks, quotes and brackets, without the sentence's marks at its end. */
const PART = /[^\s"'`()[\]{}<>,;]*[^\s"'`()[\]{}<>,;.:!?]/gu
const TEMPLATE_ID = /^(?:([^:]*):)?([A-Za-z][\w.]*):([A-Za-z]\w*)$/u

/** Bytes, files and streams are objects, too, but have no members. */
export function isMembers(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(ArrayBuffer.isView(value) || value instanceof Blob || Symbol.asyncIterator in value)
}

function isForeign(name: string, { own }: Dictionary): boolean {
  return own !== undefined && !Object.hasOwn(own, name.replace(/^#/u, ''))
}

/** Whether no template or interface that an object names is of a package with other words. */
function isOfOthers(owner: Members | undefined, dictionary: Dictionary): boolean {
  if (owner === undefined || dictionary.own === undefined) return false
  const packages = Object.values(owner).flatMap((item) => {
    const [, name] = typeof item === 'string' ? (TEMPLATE_ID.exec(item) ?? []) : []
    return name ?? []
  })
  return packages.length > 0 && packages.every((name) => isForeign(name, dictionary))
}

function wordOf(words: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word
}

/**
 * A name in snake_case, kebab-case, camelCase or PascalCase with its words replaced, whole ones
 * only.
 */
export function renamed(
  name: string,
  words: Readonly<Record<string, string>>,
  keep: readonly string[],
): string {
  return keep.includes(name) ? name : name.replaceAll(WORD, (word) => wordOf(words, word))
}

/** True when `word` is a word of the name, whatever the case of its first letter. */
function hasWord(name: string, word: string): boolean {
  return (name.match(WORD) ?? []).some((one) => one.toLowerCase() === word.toLowerCase())
}

/**
 * Changes an object. Members get the names that `members` says; one that already has such a name
 * does not come through, since nobody has checked it. `rest` is for members that have no rule.
 */
export function record(members: Readonly<Record<string, MemberRule>>, rest?: Change): Change {
  const rules = new Map(Object.entries(members))
  const taken = new Set(
    [...rules.values()].map(([name]) => name).filter((name) => !rules.has(name)),
  )
  return (value) => {
    if (!isMembers(value)) return value
    const entries = Object.entries(value)
      .filter(([key]) => !taken.has(key))
      .map(([key, item]): [string, unknown] => {
        const rule = rules.get(key)
        if (rule === undefined) return [key, rest === undefined ? item : rest(item, value)]
        const [name, change] = rule
        return [name, change === undefined ? item : change(item, value)]
      })
    return Object.fromEntries(entries)
  }
}

/** Changes the items of a list; `first` are those with a schema of their own. */
export function list(rest: Change, first: readonly Change[] = []): Change {
  return (value) =>
    Array.isArray(value) ? value.map((item: unknown, index) => (first[index] ?? rest)(item)) : value
}

/** One change after the other, each for values of another type. */
export function all(...changes: readonly Change[]): Change {
  return (value, owner) => changes.reduce<unknown>((made, change) => change(made, owner), value)
}

/** A change that is made later, for schemas that hold themselves. */
export function again(change: () => Change): Change {
  return (value, owner) => change()(value, owner)
}

/** Nothing is named otherwise. */
export const same: Change = (value) => value

/** Changes the text of a name, such as that of a choice. */
export function nameText(dictionary: Dictionary): Change {
  const { words, keep } = dictionary
  return (value, owner) =>
    typeof value === 'string' && !isOfOthers(owner, dictionary)
      ? renamed(value, words, keep)
      : value
}

/** Changes the name of a package. */
export function packageText(dictionary: Dictionary): Change {
  return (value) => (typeof value === 'string' ? packageName(value, dictionary) : value)
}

/** Changes the keys of a map, where each is the name of a package. */
export function packageKeys(dictionary: Dictionary): Change {
  return (value) =>
    isMembers(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, item]) => [packageName(name, dictionary), item]),
        )
      : value
}

/**
 * The package's name, with `#` in front if a request names the package instead of giving its id.
 */
function packageName(text: string, dictionary: Dictionary): string {
  if (isForeign(text, dictionary)) return text
  const { packages, whole, keep } = dictionary
  const [, mark = '', name = ''] = /^(#?)(.*)$/u.exec(text) ?? []
  const found = Object.hasOwn(whole.packages, name) ? whole.packages[name] : undefined
  return `${mark}${found ?? renamed(name, packages, keep)}`
}

/**
 * Changes the text of a template's id: `<package>:<module path>:<entity>`, with the package's id or
 * name, or without.
 */
export function templateText(dictionary: Dictionary): Change {
  const { words, modules, whole, keep } = dictionary
  return (value) => {
    const [, prefix, path = '', entity = ''] =
      typeof value === 'string' ? (TEMPLATE_ID.exec(value) ?? []) : []
    if (path === '' || (prefix !== undefined && isForeign(prefix, dictionary))) return value
    const start = prefix === undefined ? '' : `${packageName(prefix, dictionary)}:`
    const module = Object.hasOwn(whole.modules, path) ? whole.modules[path] : undefined
    return `${start}${module ?? renamed(path, modules, keep)}:${renamed(entity, words, keep)}`
  }
}

/**
 * Changes a sentence: ids of templates in it, and the words wherever they stand. Parties are names
 * that people gave, and stay.
 */
export function messageText(dictionary: Dictionary): Change {
  const { words, keep } = dictionary
  const template = templateText(dictionary)
  const change = (part: string): unknown => {
    if (part.includes('::')) return part
    return TEMPLATE_ID.test(part) ? template(part) : renamed(part, words, keep)
  }
  return (value) =>
    typeof value === 'string' ? value.replaceAll(PART, (part) => String(change(part))) : value
}

/**
 * Changes what no schema describes: names at every depth by the words alone. Keys that are no names
 * (parties, contract ids, keys of metadata) are data. `beside` are the
 * members beside it that say which template or choice this is of.
 */
export function payload(dictionary: Dictionary, ...beside: readonly string[]): Change {
  const { words, keep, names } = dictionary
  const template = templateText(dictionary)
  const walk = (value: unknown, rules: ReadonlyMap<string, string>): unknown => {
    if (typeof value === 'string') return value.split(':').length === 3 ? template(value) : value
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, rules))
    if (!isMembers(value)) return value
    const named = namedMember(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (key === named && typeof item === 'string') return [key, renamed(item, words, keep)]
        return [fieldName(key, words, keep, rules), walk(item, rules)]
      }),
    )
  }
  return (value, owner) => {
    if (isOfOthers(owner, dictionary)) return value
    const owners = beside.map((name) => owner?.[name]).filter((id) => typeof id === 'string')
    return walk(value, rulesFor(names, owners))
  }
}

function rulesFor(
  names: readonly NameRule[],
  owners: readonly string[],
): ReadonlyMap<string, string> {
  const rules = names.filter(({ of }) => of === undefined || owners.some((id) => hasWord(id, of)))
  return new Map(rules.map(({ from, to }) => [from, to]))
}

/** A key that is no name is data. */
function fieldName(
  key: string,
  words: Readonly<Record<string, string>>,
  keep: readonly string[],
  rules: ReadonlyMap<string, string>,
): string {
  return rules.get(key) ?? (NAME.test(key) ? renamed(key, words, keep) : key)
}

/** Names one by one, for values that come in another form than JSON. */
export interface Names {
  /** `<package>:<Module>:<Entity>` */
  template(id: string): string
  package(name: string): string
  /** The word for a choice or a variant. */
  name(name: string): string
  /** The word for a member of a value of `of`, a template or a choice. */
  field(name: string, of: string): string
  /** A value of `of` in JSON. */
  payload(value: unknown, of: string): unknown
}

/** The names of a dictionary. */
export function namesOf(dictionary: Dictionary): Names {
  const { words, keep, names } = dictionary
  const [template, change] = [templateText(dictionary), payload(dictionary, 'of')]
  return {
    payload: (value, of) => change(value, { of }),
    template: (id) => String(template(id)),
    package: (name) => packageName(name, dictionary),
    name: (name) => renamed(name, words, keep),
    field: (name, of) => fieldName(name, words, keep, rulesFor(names, [of])),
  }
}

/**
 * The member whose value is a name of the model: the tag of a variant, the unit of an amount. Other
 * values of enumerations look like any text, and stay.
 */
function namedMember(value: Members): 'tag' | 'unit' | undefined {
  const keys = Object.keys(value)
  if ('tag' in value && keys.every((key) => key === 'tag' || key === 'value')) return 'tag'
  if (keys.length === 2 && 'amount' in value && 'unit' in value) return 'unit'
  return undefined
}
