// The printed contract file: compiles strictly, has exact types, is the same whatever the
// document's key order, and is checked for drift.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse, stringify } from 'yaml'
import { check, generate } from '../../codegen/index.ts'
import type { GenerateConfig } from '../../codegen/index.ts'
import { contents, fixture, put, tempFolder, typeCheck } from './generator-kit.ts'

const source = readFileSync(fixture('contracts.yaml'), 'utf8')
const config: GenerateConfig = { interfaces: [], out: 'out', contracts: 'contracts.yaml' }

const USE = `
import type { ChoiceType, InterfaceType, TemplateType, Unit } from './out/contract-codec.gen.ts'
import { AnyValue, Coin, Coin_Expire, Everything, ExpiringAmount, Holding, HoldingView, Holding_Split, Holding_SplitResult, templateTypes } from './out/contracts.gen.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
type Argument<C> = C extends ChoiceType<infer A, unknown> ? A : never

export const template: TemplateType<Coin> = Coin
export const face: InterfaceType<HoldingView> = Holding
export const expire: ChoiceType<Coin_Expire, ExpiringAmount> = Coin.choices.Coin_Expire
export const archive: ChoiceType<Unit, Unit> = Coin.choices.Archive
export const split: ChoiceType<Holding_Split, Holding_SplitResult> = Holding.choices.Holding_Split
export const exact: [Same<Argument<typeof Coin.choices.Coin_Expire>, Coin_Expire>, Same<ReturnType<typeof Coin.payload.decode>, Coin>] = [true, true]
export const ids: readonly string[] = Object.values(templateTypes).flatMap((one) => Object.values(one.choices).map((choice) => choice.templateId))
export const values: readonly unknown[] = [AnyValue, Coin_Expire, Everything, ExpiringAmount, HoldingView, Holding_Split, Holding_SplitResult]
// @ts-expect-error the argument's type is not another's
export const wrong: ChoiceType<Coin, ExpiringAmount> = Coin.choices.Coin_Expire
// @ts-expect-error a template has its own choices only
export const none: unknown = Coin.choices.Holding_Split
`

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).reverse())
}

test('it compiles, and templates and choices have their exact types', async (t) => {
  const root = tempFolder(t)
  put(root, { 'contracts.yaml': source, 'use.ts': USE })
  assert.equal((await generate({ config, root })).status, 'written')
  assert.equal(typeCheck(root), '')
  assert.doesNotMatch(
    readFileSync(join(root, 'out/contracts.gen.ts'), 'utf8'),
    /(?:: |<|\()any\b| as (?!const)/u,
  )
})

test("ids are made of the package's hash; codecs write in the document's order", async (t) => {
  const root = tempFolder(t)
  put(root, { 'contracts.yaml': source })
  await generate({ config, root })
  const { Coin, Holding, packages, templateTypes } = await import(
    pathToFileURL(join(root, 'out/contracts.gen.ts')).href
  )
  const id = createHash('sha256').update('network-coin-0.1.0').digest('hex')
  assert.equal(Coin.id, `${id}:Network.Coin:Coin`)
  assert.deepEqual(packages['network-coin'], { id, version: '0.1.0' })
  assert.deepEqual(Coin.interfaces, [Holding.id])
  assert.deepEqual(Coin.keys, {
    owner: { column: 'key1', kind: 'text' },
    createdAt: { column: 'key3', kind: 'integer' },
  })
  assert.deepEqual(Object.keys(Coin.choices), ['Archive', 'Coin_Expire', 'Coin_Look'])
  assert.equal(Holding.choices.Holding_Split.interfaceId, Holding.id)
  assert.deepEqual(Object.keys(templateTypes), ['Coin', 'LockedCoin'])
  const amount = { initialAmount: '1.5', createdAt: { number: '3' }, ratePerRound: { rate: '0' } }
  assert.equal(
    JSON.stringify(
      Coin.payload.encode(Coin.payload.decode({ amount, owner: 'alice::1220', dso: 'dso::1220' })),
    ),
    '{"dso":"dso::1220","owner":"alice::1220","amount":{"initialAmount":"1.5000000000","createdAt":{"number":"3"},"ratePerRound":{"rate":"0.0000000000"}}}',
  )
})

test('limits of the document, of a type and of a place are checked, and nothing else changes', async (t) => {
  const root = tempFolder(t)
  const limits =
    'limits: { Text: 3, Party: 20, ContractId: 20, List: 2, Set: 2, TextMap: 2, Map: 2 }'
  const record =
    'Note: { maxBytes: 60, record: { by: Party, about: Text, text: Text(40), tags: List<Text> } }'
  const template = 'Memo: { package: network-coin, module: Network.Memo, fields: { note: Note } }'
  put(root, {
    'contracts.yaml': `packages: { network-coin: { version: 0.1.0 } }\n${limits}\ntypes: { ${record} }\ntemplates: { ${template} }\n`,
  })
  assert.equal((await generate({ config, root })).status, 'written')
  const {
    Memo: { payload },
  } = await import(pathToFileURL(join(root, 'out/contracts.gen.ts')).href)
  const rejection = (change: object): string => {
    const value = payload.decode({
      note: { by: 'alice', about: 'tea', text: '', tags: [], ...change },
    })
    try {
      payload.check(value, 'Memo')
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  assert.equal(rejection({}), '')
  assert.equal(rejection({ about: 'more' }), 'Memo/note/about: has more than 3 characters')
  assert.equal(rejection({ text: 'x'.repeat(41) }), 'Memo/note/text: has more than 40 characters')
  assert.equal(rejection({ text: 'x'.repeat(40) }), 'Memo/note: has more than 60 bytes')
  assert.equal(rejection({ tags: ['a', 'b', 'c'] }), 'Memo/note/tags: has more than 2 items')
  assert.equal(rejection({ tags: ['a', 'long'] }), 'Memo/note/tags/1: has more than 3 characters')
})

test('the order of definitions does not matter; that of fields does', async (t) => {
  const printed = async (document: string): Promise<string> => {
    const root = tempFolder(t)
    put(root, { 'contracts.yaml': document })
    await generate({ config, root })
    return contents(join(root, 'out'))['contracts.gen.ts'] ?? assert.fail('nothing was printed')
  }
  const document: Readonly<Record<string, unknown>> = parse(source)
  const turned = Object.fromEntries(
    Object.entries(document)
      .reverse()
      .map(([key, value]) => [key, reversed(value)]),
  )
  const plain = await printed(source)
  assert.equal(await printed(stringify(turned)), plain)
  assert.equal(await printed(source.replaceAll('\n', '\r\n')), plain)
  assert.notEqual(
    await printed(source.replace('{ dso: Party, owner: Party,', '{ owner: Party, dso: Party,')),
    plain,
  )
})

test('a changed document and an edited file are drift', async (t) => {
  const root = tempFolder(t)
  put(root, { 'contracts.yaml': source })
  await generate({ config, root })
  assert.equal((await check({ config, root })).status, 'clean')
  put(root, {
    'contracts.yaml': source.replace(
      'network-coin: { version: 0.1.0 }',
      'network-coin: { version: 0.2.0 }',
    ),
  })
  assert.deepEqual(
    (await check({ config, root })).files.filter((file) => file.endsWith('.ts')),
    ['contracts.gen.ts'],
  )
  assert.equal((await generate({ config, root })).status, 'written')
  put(root, { 'out/contract-codec.gen.ts': 'export {}\n' })
  assert.deepEqual((await check({ config, root })).status, 'drift')
})

test('an erroneous document writes nothing', async (t) => {
  const root = tempFolder(t)
  put(root, { 'contracts.yaml': source.replace('rate: Decimal', 'rate: Numeric') })
  const report = await generate({ config, root })
  assert.equal(report.status, 'invalid')
  assert.equal(report.written.length, 0)
})
