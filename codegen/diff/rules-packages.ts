// Rules for archives: the differences that the check of an upload knows, judged for those who use a
// package.
import {
  ALLOWED_DIFFERENCES,
  REFUSED_DIFFERENCES,
} from '../../runtime/packages/summary/differences.ts'
import { rules } from '../rules/rule.ts'
import { A, B, E, N, stored } from './rule.ts'
import type { ContractRule } from './rule.ts'

type Prefixed<T> = { readonly [K in keyof T & string as `package-${K}`]: string }

/** Words by the names that rules have among those of documents. */
function prefixed<T extends Readonly<Record<string, string>>>(words: T): Prefixed<T>
function prefixed(words: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(words).map(([name, says]) => [`package-${name}`, says]))
}

const { 'interface-removed': interfaceRemoved, ...additions } = ALLOWED_DIFFERENCES

export const PACKAGE_RULES = {
  ...rules(stored(B, B, 'no-upgrade'), prefixed(REFUSED_DIFFERENCES)),
  ...rules(stored(B, B, 'read'), prefixed({ 'interface-removed': interfaceRemoved })),
  ...rules(stored(A, N, 'read'), prefixed(additions)),
  ...rules(stored(E, E, 'read'), {
    'package-newer': 'the version is {after}, was {before}',
  }),
  ...rules(stored(B, B, 'no-upgrade'), {
    'package-older': 'the version is {after}, was {before}',
    'package-same-version': 'it is another package, and the version still {after}',
  }),
}

export type PackageRuleName = keyof typeof PACKAGE_RULES

/** The table by name. */
export const PACKAGE_RULE: Readonly<Record<PackageRuleName, ContractRule>> = PACKAGE_RULES
