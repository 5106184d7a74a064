// Finds a template by any of the names that commands and contracts use: `<package
// id>:<Module>:<Entity>`, of whatever version, or `#<package name>:<Module>:<Entity>`.
import type { AnyTemplate } from './template.ts'

type TemplateIndex = ReadonlyMap<string, AnyTemplate>

/** Throws a TypeError where two templates have one id. */
export function indexTemplates(templates: readonly AnyTemplate[]): TemplateIndex {
  const index = new Map<string, AnyTemplate>()
  for (const template of templates) {
    if (index.has(template.id)) throw new TypeError(`There are two templates ${template.id}`)
    for (const name of [template.id, ...template.earlierIds, `#${template.reference}`])
      index.set(name, template)
  }
  return index
}
