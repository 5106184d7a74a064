// Rules for contracts.yaml. Besides callers and implementers each judges what is stored: `read` as
// it is by the newer version, with an `upgrade` of the template, or `refused`, since no code could
// make up for it.
import { rules } from '../rules/rule.ts'
import { A, B, E, N, stored } from './rule.ts'
import type { ContractRule, Rule } from './rule.ts'

/** True for a rule of contracts.yaml. */
export function isContractRule(rule: Rule): rule is ContractRule {
  return 'stored' in rule
}

/** The rules with their own names, as the table of all rules lists them. */
export const CONTRACT_RULES = {
  ...rules(stored(E, E, 'read'), {
    'package-version-raised': 'the version is {after}, was {before}',
  }),
  ...rules(stored(B, B, 'refused'), {
    'package-version-lowered': 'the version is {after}, was {before}',
    'package-version-kept': 'the shape is another one, and the version still {after}',
    'template-removed': 'the template is gone',
    'template-moved': 'the module is {after}, was {before}',
    'template-interface-removed': 'it no longer implements {name}',
    'contract-interface-removed': 'the interface of contracts is gone',
    'contract-interface-changed': 'the interface of contracts is another one',
    'choice-removed': 'the choice {name} is gone',
    'choice-consuming-changed': 'the choice {name} archives its contract: {after}, was {before}',
    'choice-field-required': 'the field {name} is new and required, or not at the end',
    'choice-field-removed': 'the field {name} is gone',
    'choice-field-type': 'the type of {name} is {after}, was {before}',
    'choice-case-removed': 'the case {name} is gone',
    'choice-case-type': 'the case {name} holds {after}, held {before}',
  }),
  ...rules(stored(A, A, 'read'), {
    'template-added': 'the template is new',
    'template-interface-added': 'it implements {name} now',
    'limit-raised': 'the limit of {name} is {after}, was {before}',
  }),
  ...rules(stored(A, N, 'read'), {
    'contract-interface-added': 'the interface of contracts is new',
  }),
  ...rules(stored(A, B, 'read'), {
    'choice-added': 'the choice {name} is new',
    'payload-field-added': 'the optional field {name} is new',
    'payload-case-added': 'the case {name} is new',
    'choice-field-added': 'the optional field {name} is new',
    'choice-case-added': 'the case {name} is new',
  }),
  ...rules(stored(B, B, 'upgrade'), {
    'payload-field-required': 'the field {name} is new and required, or not at the end',
    'payload-field-removed': 'the field {name} is gone',
    'payload-field-type': 'the type of {name} is {after}, was {before}',
    'payload-case-removed': 'the case {name} is gone',
    'payload-case-type': 'the case {name} holds {after}, held {before}',
  }),
  ...rules(stored(E, B, 'upgrade'), {
    'payload-field-order': 'the fields are in another order',
    'payload-case-order': 'the cases are in another order',
  }),
  ...rules(stored(E, B, 'refused'), {
    'choice-field-order': 'the fields are in another order',
    'choice-case-order': 'the cases are in another order',
  }),
  ...rules(stored(B, B, 'read'), {
    'limit-lowered': 'the limit of {name} is {after}, was {before}',
  }),
}

export type ContractRuleName = keyof typeof CONTRACT_RULES

/** The table by name. */
export const CONTRACT_RULE: Readonly<Record<ContractRuleName, ContractRule>> = CONTRACT_RULES
