// Errors in the log of a running service: told once, in lines that a person can read.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

const LOG = new URL('../../runtime/cli/log.ts', import.meta.url).href
const RULES = new URL('../../runtime/store/rules.ts', import.meta.url).href

/** The lines that a process logs which runs `script` with a `log`. */
function linesOf(script: string): readonly string[] {
  const { stderr, status } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { openLog } from '${LOG}'
       import { StoreUnavailable } from '${RULES}'
       const { logger: log, flush } = openLog({ level: 'info', pretty: false })
       ${script}
       flush()`,
    ],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  return stderr.trimEnd().split('\n')
}

test('data that cannot be reached is one short line, however many fail of it', () => {
  const [line = '', ...others] = linesOf(`
    const refused = () => new AggregateError(
      [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')])
    const failed = () => new StoreUnavailable('connect ECONNREFUSED 127.0.0.1:5432', { cause: refused() })
    const all = Array.from({ length: 10 }, failed)
    log.warn({ err: new AggregateError(all, \`500 failed, the first of them: \${all[0]}\`) }, 'automation run failed')
  `)
  assert.deepEqual(others, [])
  assert.ok(line.length < 500, line)
  assert.doesNotMatch(line, /\bat /)
  assert.equal(line.match(/127\.0\.0\.1:5432/g)?.length, 1)
  assert.match(line, /500 failed, the first of them/)
})

test('an error of the service has the stack of its cause once, and no end of it', () => {
  const [line = ''] = linesOf(`
    function deep(n) { if (n === 0) throw new TypeError('x is not a function'); deep(n - 1) }
    Error.stackTraceLimit = 1000
    try { deep(500) } catch (cause) {
      log.error({ err: new Error('the request failed', { cause }) }, 'failed')
      log.child({ a: 1 }).error({ err: new Error('a'.repeat(100_000)) }, 'failed')
    }
  `)
  const { err } = JSON.parse(line)
  assert.equal(err.message, 'the request failed: x is not a function')
  assert.match(err.stack, /^Error: the request failed: x is not a function\n +at deep /)
  assert.ok(line.length < 4_000, String(line.length))
})

test('whatever is thrown, its line is bounded', () => {
  const lines = linesOf(`
    const long = 'a'.repeat(100_000)
    const loop = new Error('loop'); loop.cause = loop
    const own = Object.assign(new Error('with members'), { detail: long, query: { text: long } })
    for (const err of [new Error(long), long, loop, own, undefined, { text: long }, new AggregateError([], '')])
      log.child({ a: 1 }).error({ err }, 'failed')
  `)
  assert.equal(lines.length, 7)
  for (const line of lines) assert.ok(line.length < 6_000, String(line.length))
})
