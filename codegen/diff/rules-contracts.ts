// Rules for contracts.yaml. Besides callers and implementers each judges what is stored: `read` as
// it is by the newer version, with an `upgrade` of the template, or `refused`, since no code could
// make up for it.
import { A, B, E, N, fixed } from './rule.ts'
import type { FixedRule, Rule } from './rule.ts'
import type { Level } from './level.ts'

export type Stored = 'read' | 'upgrade' | 'refused'

type ContractRule = FixedRule & { readonly stored: Stored }

/** True for a rule of contracts.yaml. */
export function isContractRule(rule: Rule): rule is ContractRule {
  return 'stored' in rule
}

function contract(
  says: string,
  mirror: string,
  callers: Level,
  implementers: Level,
  stored: Stored,
): ContractRule {
  return { ...fixed(says, mirror, callers, implementers), stored }
}

/** The rules with their own names, as the table of all rules lists them. */
export const CONTRACT_RULES = {
  'package-version-raised': contract(
    'the version is {after}, was {before}',
    'package-version-lowered',
    E,
    E,
    'read',
  ),
  'package-version-lowered': contract(
    'the version is {after}, was {before}',
    'package-version-raised',
    B,
    B,
    'refused',
  ),
  'package-version-kept': contract(
    'the shape is another one, and the version still {after}',
    'package-version-kept',
    B,
    B,
    'refused',
  ),

  'template-added': contract('the template is new', 'template-removed', A, A, 'read'),
  'template-removed': contract('the template is gone', 'template-added', B, B, 'refused'),
  'template-moved': contract(
    'the module is {after}, was {before}',
    'template-moved',
    B,
    B,
    'refused',
  ),
  'template-interface-added': contract(
    'it implements {name} now',
    'template-interface-removed',
    A,
    A,
    'read',
  ),
  'template-interface-removed': contract(
    'it no longer implements {name}',
    'template-interface-added',
    B,
    B,
    'refused',
  ),
  'contract-interface-added': contract(
    'the interface of contracts is new',
    'contract-interface-removed',
    A,
    N,
    'read',
  ),
  'contract-interface-removed': contract(
    'the interface of contracts is gone',
    'contract-interface-added',
    B,
    B,
    'refused',
  ),
  'contract-interface-changed': contract(
    'the interface of contracts is another one',
    'contract-interface-changed',
    B,
    B,
    'refused',
  ),
  'choice-added': contract('the choice {name} is new', 'choice-removed', A, B, 'read'),
  'choice-removed': contract('the choice {name} is gone', 'choice-added', B, B, 'refused'),
  'choice-consuming-changed': contract(
    'the choice {name} archives its contract: {after}, was {before}',
    'choice-consuming-changed',
    B,
    B,
    'refused',
  ),

  'payload-field-added': contract(
    'the optional field {name} is new',
    'payload-field-removed',
    A,
    B,
    'read',
  ),
  'payload-field-required': contract(
    'the field {name} is new and required, or not at the end',
    'payload-field-removed',
    B,
    B,
    'upgrade',
  ),
  'payload-field-removed': contract(
    'the field {name} is gone',
    'payload-field-required',
    B,
    B,
    'upgrade',
  ),
  'payload-field-order': contract(
    'the fields are in another order',
    'payload-field-order',
    E,
    B,
    'upgrade',
  ),
  'payload-field-type': contract(
    'the type of {name} is {after}, was {before}',
    'payload-field-type',
    B,
    B,
    'upgrade',
  ),
  'payload-case-added': contract('the case {name} is new', 'payload-case-removed', A, B, 'read'),
  'payload-case-removed': contract(
    'the case {name} is gone',
    'payload-case-added',
    B,
    B,
    'upgrade',
  ),
  'payload-case-order': contract(
    'the cases are in another order',
    'payload-case-order',
    E,
    B,
    'upgrade',
  ),
  'payload-case-type': contract(
    'the case {name} holds {after}, held {before}',
    'payload-case-type',
    B,
    B,
    'upgrade',
  ),

  'choice-field-added': contract(
    'the optional field {name} is new',
    'choice-field-removed',
    A,
    B,
    'read',
  ),
  'choice-field-required': contract(
    'the field {name} is new and required, or not at the end',
    'choice-field-removed',
    B,
    B,
    'refused',
  ),
  'choice-field-removed': contract(
    'the field {name} is gone',
    'choice-field-required',
    B,
    B,
    'refused',
  ),
  'choice-field-order': contract(
    'the fields are in another order',
    'choice-field-order',
    E,
    B,
    'refused',
  ),
  'choice-field-type': contract(
    'the type of {name} is {after}, was {before}',
    'choice-field-type',
    B,
    B,
    'refused',
  ),
  'choice-case-added': contract('the case {name} is new', 'choice-case-removed', A, B, 'read'),
  'choice-case-removed': contract('the case {name} is gone', 'choice-case-added', B, B, 'refused'),
  'choice-case-order': contract(
    'the cases are in another order',
    'choice-case-order',
    E,
    B,
    'refused',
  ),
  'choice-case-type': contract(
    'the case {name} holds {after}, held {before}',
    'choice-case-type',
    B,
    B,
    'refused',
  ),

  'limit-lowered': contract(
    'the limit of {name} is {after}, was {before}',
    'limit-raised',
    B,
    B,
    'read',
  ),
  'limit-raised': contract(
    'the limit of {name} is {after}, was {before}',
    'limit-lowered',
    A,
    A,
    'read',
  ),
} satisfies Record<string, ContractRule>

export type ContractRuleName = keyof typeof CONTRACT_RULES

/** The table by name. */
export const CONTRACT_RULE: Readonly<Record<ContractRuleName, ContractRule>> = CONTRACT_RULES
