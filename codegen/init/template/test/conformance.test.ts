// Holds the server to its document with generated requests. `CONFORM_URL=https://… npm run conform`
// asks another server, `RUNS=100` asks more, another `SEED` asks something else.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { wire } from '../generated/__interface__/routes.gen.ts'
import { start } from './start.ts'

const { CONFORM_URL, RUNS = '10', SEED = '1', DEV_TOKEN = 'development-token' } = process.env
/**
 * Statuses with which the server refuses requests; where the document forgets them, they are no
 * finding.
 */
const REFUSALS = [400, 401, 413, 415]

test('every answer is as the document says', async () => {
  const { url, stop } =
    CONFORM_URL === undefined ? await start() : { url: CONFORM_URL, stop: async () => undefined }
  try {
    const size = ['--runs', RUNS, '--extremes', RUNS, '--seed', SEED]
    const { code, output } = await conform(
      '--url',
      url,
      ...size,
      '--token',
      DEV_TOKEN,
      ...allowed(),
    )
    process.stdout.write(output)
    assert.equal(code, 0, 'the server does not keep to its document')
  } finally {
    await stop()
  }
})

function allowed(): readonly string[] {
  const forgotten = wire.operations.flatMap(({ operationId, responses }) => {
    const declared = new Set<string>(responses.map(({ status }) => status))
    const missing =
      declared.has('default') || declared.has('4XX')
        ? []
        : REFUSALS.filter((status) => !declared.has(String(status)))
    return missing.map((status) => `${operationId}:${status}`)
  })
  return forgotten.length === 0 ? [] : ['--allow', ...forgotten]
}

async function conform(
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly output: string }> {
  const manifest = fileURLToPath(import.meta.resolve('ledgerwright/package.json'))
  const command = join(
    dirname(manifest),
    JSON.parse(readFileSync(manifest, 'utf8')).bin.ledgerwright,
  )
  const child = spawn(process.execPath, [command, 'conform', '--spec', '__spec__', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  return { code, output }
}
