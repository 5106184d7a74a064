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

const {
  'interface-removed': removed,
  'interface-part-removed': partRemoved,
  'interface-part-changed': partChanged,
  'interface-part-added': partAdded,
  ...additions
} = ALLOWED_DIFFERENCES
const promises = {
  'interface-removed': removed,
  'interface-part-removed': partRemoved,
  'interface-part-changed': partChanged,
}

export const PACKAGE_RULES = {
  ...rules(stored(B, B, 'no-upgrade'), prefixed(REFUSED_DIFFERENCES)),
  ...rules(stored(B, B, 'read'), prefixed(promises)),
  ...rules(stored(A, B, 'read'), prefixed({ 'interface-part-added': partAdded })),
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
