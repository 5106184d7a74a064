// The same bytes, the lock included, whatever the machine: order of documents, line ends of a
// checkout, locale, time zone, working folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { check, generate } from '../../codegen/index.ts'
import type { GenerateConfig } from '../../codegen/index.ts'
import { contents, fixture, PROJECT, put, tempFolder } from './generator-kit.ts'

const features = readFileSync(fixture('features.yaml'), 'utf8')
// Letters that a Turkish or a Danish locale sorts and changes in its own way, and names that differ
// in case alone.
const words = `openapi: 3.1.0
info: { title: Words, version: '1' }
paths:
  /i/İ/ı: { get: { operationId: iI, responses: { '200': { $ref: '#/components/responses/aa' } } } }
  /Å: { get: { operationId: aa, tags: [z, Z, å], responses: { '200': { $ref: '#/components/responses/aa' } } } }
components:
  responses: { aa: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/title' } } } } }
  schemas:
    title: { type: object, properties: { İd: { type: string }, id: { type: string }, ID: { $ref: '#/components/schemas/Title' } } }
    Title: { type: string, format: date-time, default: '2026-03-29T02:30:00Z' }
`
const config: GenerateConfig = {
  interfaces: [{ spec: 'spec/features.yaml' }, { spec: 'spec/words.yaml' }],
  out: 'out',
}
const documents = { 'spec/features.yaml': features, 'spec/words.yaml': words }

async function outputOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  changed: Partial<GenerateConfig> = {},
) {
  const root = tempFolder(t)
  put(root, files)
  assert.equal((await generate({ config: { ...config, ...changed }, root })).status, 'written')
  return { root, output: contents(join(root, 'out')) }
}

describe('output is the same', () => {
  test('whatever the order of documents and the line ends of their checkout', async (t) => {
    const { output } = await outputOf(t, documents)
    const reversed = await outputOf(t, documents, { interfaces: config.interfaces.toReversed() })
    const crlf = await outputOf(
      t,
      Object.fromEntries(
        Object.entries(documents).map(([file, text]) => [file, text.replaceAll('\n', '\r\n')]),
      ),
    )
    assert.deepEqual(reversed.output, output)
    assert.deepEqual(crlf.output, output)
  })

  test('whatever the locale, the time zone and the working folder', async (t) => {
    const { output } = await outputOf(t, documents)
    const root = tempFolder(t)
    put(root, {
      ...documents,
      'codegen.config.ts': `export const config = ${JSON.stringify(config)}\n`,
    })
    const env = {
      ...process.env,
      LC_ALL: 'tr_TR.UTF-8',
      LANG: 'da_DK.UTF-8',
      TZ: 'Pacific/Kiritimati',
    }
    const command = [
      join(PROJECT, 'runtime/cli/main.ts'),
      'generate',
      '--config',
      join(root, 'codegen.config.ts'),
    ]
    const run = spawnSync(process.execPath, command, {
      encoding: 'utf8',
      cwd: join(root, 'spec'),
      env,
    })
    assert.equal(run.status, 0, run.stderr)
    assert.deepEqual(contents(join(root, 'out')), output)
  })

  test('where a checkout changed the line ends of everything: then there is no drift', async (t) => {
    const { root, output } = await outputOf(t, documents)
    for (const [file, text] of Object.entries(output))
      writeFileSync(join(root, 'out', file), text.replaceAll('\n', '\r\n'))
    put(
      root,
      Object.fromEntries(
        Object.entries(documents).map(([file, text]) => [file, text.replaceAll('\n', '\r\n')]),
      ),
    )
    assert.equal((await check({ config, root })).status, 'clean')
    assert.equal((await generate({ config, root })).status, 'skipped')
    put(root, { 'spec/words.yaml': words.replace('title: Words', 'title: Others') })
    assert.deepEqual(
      (await check({ config, root })).files.filter((file) => file.startsWith('features/')),
      [],
    )
  })
})
