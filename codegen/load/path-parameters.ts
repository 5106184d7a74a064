// Parameters of an operation held against the template of its path.
import type { DocumentRule } from '../rules/document-rules.ts'
import { fields, text } from '../values.ts'
import { LOSS } from './faults.ts'
import type { Loss } from './faults.ts'

interface Held {
  readonly faults: readonly {
    readonly rule: DocumentRule
    readonly message: string
    readonly loss: Loss
  }[]
  /** Parameters without those of the path that the template does not have. */
  readonly parameters: readonly unknown[]
}

/** Names in a template, in its order: `/a/{b}/{c}` has `b` and `c`. */
export function templateNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/gu)].map((match) => match[1] ?? '')
}

/** Parameters that the path lacks, and those that it does not have. */
export function heldAgainstPath(path: string, parameters: readonly unknown[]): Held {
  const names = templateNames(path)
  const inPath = (one: unknown): boolean => fields(one)['in'] === 'path'
  const declared = new Set(parameters.filter(inPath).map((one) => text(fields(one)['name']) ?? ''))
  const undeclared = names.filter((name) => !declared.has(name))
  const unknown = [...declared].filter((name) => name !== '' && !names.includes(name))
  return {
    faults: [
      ...undeclared.map((name) => ({
        rule: 'undeclared-path-parameter' as const,
        message: `path parameter '${name}' of ${path} is not declared`,
        loss: LOSS.operation,
      })),
      ...unknown.map((name) => ({
        rule: 'unknown-path-parameter' as const,
        message: `path parameter '${name}' is not in ${path}`,
        loss: LOSS.parameter,
      })),
    ],
    parameters: parameters.filter(
      (one) => !inPath(one) || names.includes(text(fields(one)['name']) ?? ''),
    ),
  }
}
