// A run of tests with a failure ends with a code that CI sees, whatever the set-up of all tests
// has loaded.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SHARED_SERVER } from '../support/postgres.ts'

const FAILING =
  "import { test } from 'node:test'\ntest('no', () => Promise.reject(new Error('no')))\n"

test('a run in which a test fails has failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lw-failing-'))
  const file = join(folder, 'one.test.mjs')
  writeFileSync(file, FAILING)
  const setup = '--test-global-setup=test/support/global-setup.ts'
  const { NODE_TEST_CONTEXT: _run, [SHARED_SERVER]: _server, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['--test', setup, file], {
    cwd: new URL('../..', import.meta.url),
    env,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  assert.match(stdout, /fail 1/)
  assert.equal(status, 1)
})
