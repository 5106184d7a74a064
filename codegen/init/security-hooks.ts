// The hooks of a new project's security: for each scheme of its document one that takes the token
// of development, and nothing else.
import { schemesOf } from '../emit/security.ts'
import type { SchemeIr } from '../emit/security.ts'
import type { InterfaceIr } from '../ir.ts'
import { literal, propertyKey } from '../literals.ts'

/** The members of `hooks` in the new `src/security.ts`, a line each. */
export function hookMembers(ir: InterfaceIr): string {
  return schemesOf(ir)
    .map((scheme) => `  ${propertyKey(scheme.name)}: ${hookOf(ir, scheme)},\n`)
    .join('')
}

function hookOf(ir: InterfaceIr, { name, kind, isScoped }: SchemeIr): string {
  switch (kind) {
    case 'basic':
      return '({ user }) => developer(user)'
    case 'bearer':
      return isScoped
        ? `({ token }) => developer(token, ${literal(scopesOf(ir, name))})`
        : '({ token }) => developer(token)'
    case 'key':
      return '({ key }) => developer(key)'
    case 'other':
      return '({ text }) => developer(text)'
  }
}

/** Every scope that some operation wants of a scheme. */
function scopesOf({ operations }: InterfaceIr, name: string): readonly string[] {
  const scopes = operations.flatMap(({ security }) =>
    security.flatMap((requirement) =>
      Object.hasOwn(requirement, name) ? (requirement[name] ?? []) : [],
    ),
  )
  return [...new Set(scopes)].sort()
}
