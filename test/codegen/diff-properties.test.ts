// What must hold of any two documents: nothing that the generator sees goes unreported, what
// differs in more than words is no matter of words, and the way back is the mirror image.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { Change } from '../../codegen/diff/change.ts'
import { diffInterfaces } from '../../codegen/diff/diff-interfaces.ts'
import { RULES } from '../../codegen/diff/rules.ts'
import { canonicalJson } from '../../codegen/json.ts'
import { hasErrors } from '../../codegen/findings.ts'
import type { InterfaceIr, LoadedInterface } from '../../codegen/index.ts'
import { fingerprints } from '../../codegen/plan/fingerprint.ts'
import { dice, edited } from './diff-edits.ts'
import type { Json } from './diff-edits.ts'
import { loadData } from './diff-kit.ts'
import { mirrorOf } from './diff-mirrors.ts'
import { fixture, PROJECT } from './generator-kit.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const ROUNDS = Number(process.env['DIFF_ROUNDS'] ?? 3)
const MS = Number(process.env['DIFF_MS'] ?? 1200)

/**
 * The shape differs, yet nobody has to do anything: order without meaning, other spelling,
 * extensions that the generator ignores.
 */
const EDITORIAL_SHAPES: ReadonlySet<string> = new Set([
  'schema-rewritten',
  'operation-rewritten',
  'security-rewritten',
  'access-rewritten',
  'required-reordered',
  'enum-reordered',
  'variants-reordered',
  'schema-extension-changed',
  'operation-extension-changed',
  'parameter-extension-changed',
  'versions-changed',
  'error-text-changed',
  'reference-changed',
  // A flag for values that go the other way, and what is answered to requests, seen from a
  // response.
  'read-only-added',
  'read-only-removed',
  'write-only-added',
  'write-only-removed',
  'error-code-changed',
])

function prints(ir: InterfaceIr): { readonly full: string; readonly shape: string } {
  const { operations, schemas } = fingerprints(ir)
  const of = (key: 'full' | 'shape'): string =>
    canonicalJson(
      [operations, schemas].map((group) => {
        return Object.fromEntries(Object.entries(group).map(([name, print]) => [name, print[key]]))
      }),
    )
  const routes = canonicalJson(
    ir.operations.map(({ operationId, method, path }) => [operationId, method, path]),
  )
  return { full: of('full') + routes, shape: of('shape') + routes }
}

/**
 * Rules that stand for the same thing seen from the other side, where one side knows more than the
 * other.
 */
const ALIKE: Readonly<Record<string, string>> = {
  'deprecated-operation-removed': 'operation-removed',
  'parameter-added-required': 'parameter-added-optional',
  'property-added-required': 'property-added-optional',
  'parameter-became-optional-with-default': 'parameter-became-optional',
  'unused-schema-removed': 'schema-removed',
  'response-second-media-type-added': 'response-media-type-added',
  'response-header-added-required': 'response-header-added-optional',
  'body-added-required': 'body-added-optional',
}

function counts(changes: readonly Change[], name: (rule: Change['rule']) => string): string {
  return changes
    .map(({ rule }) => ALIKE[name(rule)] ?? name(rule))
    .sort()
    .join(' ')
}

test(`random edits: seed ${SEED}`, (t) => {
  const source: Json = parse(readFileSync(fixture('features.yaml'), 'utf8'))
  const original = loadData(structuredClone(source))
  assert.deepEqual(diffInterfaces(original, original), [])
  const start = performance.now()
  let [round, compared, changed] = [0, 0, 0]
  // A slow machine draws few: at least so many that something differs.
  for (; (changed === 0 && round < 1_000) || performance.now() - start < MS; round += 1) {
    const draw = dice(SEED + round)
    const before = draw(3) > 0 ? original : loadData(edited(source, draw))
    const after = loadData(edited(source, draw))
    if (hasErrors(before.findings) || hasErrors(after.findings)) continue
    compared += 1
    changed += check(before, after, `SEED=${SEED + round}`) ? 1 : 0
  }
  assert.ok(changed > 0, 'something differs')
  t.diagnostic(`${round} drawn, ${compared} compared, ${changed} differ`)
})

const UPSTREAM = resolve(PROJECT, '../shared/upstream/ledger-api-3.5.1/openapi.yaml')
const skip = existsSync(UPSTREAM) ? false : `no public document at ${UPSTREAM}`

test(`a public document against edited copies of itself: seed ${SEED}`, { skip }, () => {
  const source: Json = parse(readFileSync(UPSTREAM, 'utf8'))
  const original = loadData(structuredClone(source))
  assert.deepEqual(diffInterfaces(original, original), [])
  for (let round = 0; round < ROUNDS; round += 1) {
    check(original, loadData(edited(source, dice(SEED + round))), `SEED=${SEED + round}`)
  }
})

function check(before: LoadedInterface, after: LoadedInterface, name: string): boolean {
  const [old, now] = [prints(before.ir), prints(after.ir)]
  const there = diffInterfaces(before, after)
  const shown = `${name}\n${there.map(({ message, rule }) => `${message} [${rule}]`).join('\n')}`
  assert.equal(there.length > 0, old.full !== now.full, `reported, fingerprint: ${shown}`)
  const isMoreThanWords = there.some(
    ({ level, rule, operations }) =>
      level !== 'editorial' || EDITORIAL_SHAPES.has(rule) || isUnreached(rule, operations),
  )
  if (old.shape !== now.shape) assert.ok(isMoreThanWords, `shape: ${shown}`)
  const back = diffInterfaces(after, before)
  assert.equal(
    counts(back, (rule) => rule),
    counts(there, mirrorOf),
    `mirror: ${shown}\n--\n${back.map(({ message, rule }) => `${message} [${rule}]`).join('\n')}`,
  )
  return there.length > 0
}

function isUnreached(rule: Change['rule'], operations: Change['operations']): boolean {
  return RULES[rule].kind === 'ways' && operations.every((use) => use.in === 'none')
}
