// Finds a template by any of the names that commands and contracts use: `<package
// id>:<Module>:<Entity>`, of whatever version, or `#<package name>:<Module>:<Entity>`.
import type { Rejection } from './rejection.ts'
import type { AnyTemplate } from './template.ts'

/** Templates by name. */
export type Templates = Pick<ReadonlyMap<string, AnyTemplate>, 'get' | 'has'>

/** Templates besides those that an engine begins with, as far as they are at hand. */
export interface MoreTemplates {
  /** Undefined where there is none, or where it is not at hand. */
  get(name: string): AnyTemplate | undefined
  /** Resolves when everything that there is by these names is at hand. */
  ready(names: readonly string[]): Promise<void>
}

/** Where more templates come from. What is at hand may be forgotten when it was used. */
export interface TemplateSource extends MoreTemplates {
  /** Templates for one transaction, of which nothing is forgotten while it runs. */
  hold(): MoreTemplates
  /** Why parties may not be told of a transaction: one of these templates or interfaces. */
  refusal(uses: Uses): Promise<Rejection | undefined>
}

/** The parties that learn of a template or an interface by a transaction, by its name. */
export type Uses = ReadonlyMap<string, ReadonlySet<string>>

/** Throws a TypeError where two templates have one id. */
export function indexTemplates(
  templates: readonly AnyTemplate[],
): ReadonlyMap<string, AnyTemplate> {
  const index = new Map<string, AnyTemplate>()
  for (const template of templates) {
    if (index.has(template.id)) throw new TypeError(`There are two templates ${template.id}`)
    for (const name of [template.id, ...template.earlierIds, `#${template.reference}`])
      index.set(name, template)
  }
  return index
}

/** The templates of an index, then others. */
export function withMore(index: Templates, source: MoreTemplates | undefined): Templates {
  if (source === undefined) return index
  const get: Templates['get'] = (name) => index.get(name) ?? source.get(name)
  return { get, has: (name) => get(name) !== undefined }
}
